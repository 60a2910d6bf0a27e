import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { inOwnNamespace, numberUnder } from '../../support/own-namespace.js';
import { ServiceProcess } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

let data: TemporaryFolder;
/** Takes connections and never answers: a start waits 30 s for it. */
let silent: Server;
const sockets: Socket[] = [];
let service: ServiceProcess;

beforeAll(async () => {
  data = await temporaryFolder();
  silent = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterEach(() => service.kill());
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await data.remove();
});

/** A service that waits for its servers. */
async function starting(under?: readonly string[]): Promise<ServiceProcess> {
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const environment = {
    EVENTSTORE_URL: `esdb://${host}?tls=false`,
    MONGODB_URL: `mongodb://${host}/storage_access`,
  };
  service = await ServiceProcess.spawn(data.path, { environment, under });
  return service;
}

const ENDED = [0, ['Stopped by SIGTERM before the start was complete.']];

it('a service that waits for its servers ends at once on SIGTERM', async () => {
  const before = sockets.length;
  await starting();
  await waitUntil(() => sockets.length > before);
  expect([await service.stop(), service.errors]).toEqual(ENDED);
});

inOwnNamespace('and so does one that is process 1, as in a container', async (under) => {
  const before = sockets.length;
  const { pid } = await starting(under);
  await waitUntil(() => sockets.length > before);
  process.kill(await numberUnder(pid), 'SIGTERM');
  expect([await service.ended, service.errors]).toEqual(ENDED);
});
