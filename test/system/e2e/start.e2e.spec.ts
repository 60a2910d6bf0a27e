import { announcedOperator } from '#kernel/announcement.js';
import { freePort } from '../../support/free-port.js';
import { ServiceProcess } from '../../support/service-process.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const NO_OPERATOR = { OPERATOR_EMAIL: '', OPERATOR_PASSWORD: '' };

let data: TemporaryFolder;
/** On an empty folder, without an operator in its environment. */
let first: ServiceProcess;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  data = await temporaryFolder();
  first = await spawn(NO_OPERATOR);
  await first.listens();
});
afterAll(async () => {
  for (const service of running) await service.kill();
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

describe('a process on a folder or a port that another one holds', () => {
  it('says so in one line, and leaves the other alone', async () => {
    const elsewhere = await temporaryFolder();
    const [sameFolder, samePort] = await Promise.all([
      spawn().then(endOf),
      spawn({ PORT: String(first.port) }, elsewhere.path).then(endOf),
    ]);
    expect(sameFolder).toEqual([
      1,
      [expect.stringMatching(`^The service did not start: .* in use by process ${first.pid}\\b.*$`)],
    ]);
    const taken = `port ${first.port} is in use by another program. Set PORT to a free port, or stop that program.`;
    expect(samePort).toEqual([1, [`The service did not start: ${taken}`]]);
    expect((await first.client.call('get', '/health')).status).toBe(200);
    await elsewhere.remove();
  });
});

async function isServing(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return answer?.status === 200;
}

describe('a process without an operator in its environment', () => {
  const passwords = ({ lines }: ServiceProcess) => lines.flatMap((line) => announcedOperator(line) ?? []);

  /** Starts one, and ends it as soon as it serves, as whoever runs it may see it. */
  async function servedAndEnded(environment: Record<string, string>): Promise<ServiceProcess> {
    const port = await freePort();
    const service = await spawn({ ...NO_OPERATOR, ...environment, PORT: String(port) });
    await waitUntil(() => isServing(port), Boolean);
    expect([await service.stop(), service.errors]).toEqual([0, []]);
    return service;
  }

  it('prints the first one’s password, once, and starts with another master secret only where told to', async () => {
    expect([await first.stop(), first.errors]).toEqual([0, []]);
    expect(passwords(first)).toHaveLength(1);
    const other = { KEY_MASTER_SECRET: 'another secret of 32 characters or more' };
    const refused =
      /^The service did not start: KEY_MASTER_SECRET is not the one .* KEY_MASTER_SECRET_ROTATE=true/;
    const ended = await endOf(await spawn({ ...NO_OPERATOR, ...other }));
    expect(ended).toEqual([1, [expect.stringMatching(refused)]]);
    expect(passwords(await servedAndEnded({ ...other, KEY_MASTER_SECRET_ROTATE: 'true' }))).toEqual([]);
  });
});
