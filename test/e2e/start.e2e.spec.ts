import { announcedOperator } from '../../src/config/announcement.js';
import { freePort } from '../support/free-port.js';
import { ServiceProcess } from '../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';

let data: TemporaryFolder;
const running: ServiceProcess[] = [];

beforeEach(async () => {
  data = await temporaryFolder();
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.kill();
  await data.remove();
});

async function spawn(environment: Record<string, string> = {}, folder = data.path): Promise<ServiceProcess> {
  const service = await ServiceProcess.spawn(folder, { environment });
  running.push(service);
  return service;
}

/** The status and the words of a process that does not start. */
async function endOf(service: ServiceProcess): Promise<[number | null, readonly string[]]> {
  return [await service.ended, service.errors];
}

describe('a process that cannot start', () => {
  it('on a folder or a port that another one holds says so in one line, and leaves the other alone', async () => {
    const first = await spawn();
    await first.listens();
    const elsewhere = await temporaryFolder();
    const [sameFolder, samePort] = await Promise.all([
      spawn().then(endOf),
      spawn({ PORT: String(first.port) }, elsewhere.path).then(endOf),
    ]);
    expect(sameFolder).toEqual([
      1,
      [expect.stringMatching(`^The service did not start: .* in use by process ${first.pid}\\b.*$`)],
    ]);
    const taken = `port ${first.port} is in use by another program. Set PORT to a free one, or end that program.`;
    expect(samePort).toEqual([1, [`The service did not start: ${taken}`]]);
    expect((await first.client.call('get', '/health')).status).toBe(200);
    await elsewhere.remove();
  });

  it('with a variable that cannot be used names it in one line, without its secret', async () => {
    const environment = { MONGODB_URL: 'mongodb://user:secret@127.0.0.1/?tls=perhaps' };
    const line = 'MONGODB_URL cannot be used: tls/ssl must be either "true" or "false"';
    expect(await endOf(await spawn(environment))).toEqual([1, [`The service did not start: ${line}`]]);
  });
});

async function isServing(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return answer?.status === 200;
}

describe('a process without an operator in its environment', () => {
  const none = { OPERATOR_EMAIL: '', OPERATOR_PASSWORD: '' };
  const passwords = ({ lines }: ServiceProcess) => lines.flatMap((line) => announcedOperator(line) ?? []);

  /** Starts one, and ends it as soon as it serves, as whoever runs it may see it. */
  async function servedAndEnded(environment: Record<string, string>): Promise<ServiceProcess> {
    const port = await freePort();
    const service = await spawn({ ...none, ...environment, PORT: String(port) });
    await waitUntil(() => isServing(port), Boolean);
    expect([await service.stop(), service.errors]).toEqual([0, []]);
    return service;
  }

  it('prints the first one’s password, once, and starts with another master secret only where told to', async () => {
    expect(passwords(await servedAndEnded({}))).toHaveLength(1);
    const other = { KEY_MASTER_SECRET: 'another secret of 32 characters or more' };
    const refused =
      /^The service did not start: KEY_MASTER_SECRET is not the one .* KEY_MASTER_SECRET_ROTATE=true/;
    expect(await endOf(await spawn({ ...none, ...other }))).toEqual([1, [expect.stringMatching(refused)]]);
    expect(passwords(await servedAndEnded({ ...other, KEY_MASTER_SECRET_ROTATE: 'true' }))).toEqual([]);
  });
});
