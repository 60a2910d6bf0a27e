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

  it('with another master secret than its records know says so in one line, and starts where told to', async () => {
    const first = await spawn();
    await first.listens();
    expect(await first.stop()).toBe(0);
    const other = { KEY_MASTER_SECRET: 'another secret of 32 characters or more' };
    const refused =
      /^The service did not start: KEY_MASTER_SECRET is not the one .* KEY_MASTER_SECRET_ROTATE=true/;
    expect(await endOf(await spawn(other))).toEqual([1, [expect.stringMatching(refused)]]);
    const rotated = await spawn({ ...other, KEY_MASTER_SECRET_ROTATE: 'true' });
    await rotated.listens();
    expect(await rotated.stop()).toBe(0);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number between 0 and 65535.'],
    [
      { MONGODB_URL: 'mongodb://user:secret@127.0.0.1/?tls=perhaps' },
      'MONGODB_URL cannot be used: tls/ssl must be either "true" or "false"',
    ],
  ])('with %j names the variable in one line', async (environment, line) => {
    expect(await endOf(await spawn(environment))).toEqual([1, [`The service did not start: ${line}`]]);
  });
});

async function isServing(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
  return answer?.status === 200;
}

describe('a process without an operator in its environment', () => {
  it('prints the first one’s password, once, and ends with status 0 when it is told to', async () => {
    const none = { OPERATOR_EMAIL: '', OPERATOR_PASSWORD: '' };
    const printed: string[][] = [];
    for (let start = 1; start <= 2; start += 1) {
      const port = await freePort();
      const service = await spawn({ ...none, PORT: String(port) });
      // As soon as it serves, as whoever runs it may see it.
      await waitUntil(() => isServing(port), Boolean);
      expect([await service.stop(), service.errors]).toEqual([0, []]);
      printed.push(service.lines.filter((line) => line.includes('password, shown only now')));
    }
    expect(printed).toEqual([[expect.any(String)], []]);
  });
});
