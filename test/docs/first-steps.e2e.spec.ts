import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { firstSteps } from '../contracts/first-steps.js';
import { Service } from '../support/service.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
let script: string;
const PASSWORD = 'first steps, of our own';

const run = promisify(execFile);

interface Ended {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

function play(variables: Readonly<Record<string, string>>): Promise<Ended> {
  const { PATH = '' } = process.env;
  return run('sh', [script], { env: { PATH, ...variables } }).catch((error: unknown) => error as Ended);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  script = join(folder.path, 'first-steps.sh');
  await writeFile(script, firstSteps());
});
afterAll(() => folder.remove());

describe('the first steps as a script', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({
      environment: { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD },
    });
  });
  afterAll(() => service.close());

  it('take every value from the answer before, up to the auditor, and say how to go on', async () => {
    const variables = { BASE: `http://127.0.0.1:${service.port}/`, DATA_DIR: service.path, PASSWORD };
    const { code, stdout, stderr } = await play(variables);
    expect({ code, stderr }).toMatchObject({ code: undefined });
    expect(stdout).toMatch(/> GET \/api\/v2\/tenant\/access\n< 200 .*"tenant_permitted"/);
    expect(stdout).toMatch(/> GET \/api\/v2\/units\/A-101\/as-of\?at=20\S+\n< 200 .*"tenant_denied"/);
    const token = /^export TOKEN=(\S+)$/m.exec(stdout)![1]!;
    expect((await service.call('get', '/api/v2/company', { token })).status).toBe(200);
    // What a service has taken once it cannot take as for the first time: nothing is made a second time.
    const before = await service.events();
    const again = await play(variables);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('there is a company Lakeside Storage'),
    ]);
    expect(await service.events()).toEqual(before);
  });

  it('name what is missing', async () => {
    const mute = await play({});
    expect(mute.code).not.toBe(0);
    expect(mute.stderr).toContain('PASSWORD: is what the first start of the service printed');
    const alone = await play({ BASE: 'http://127.0.0.1:1', DATA_DIR: service.path, PASSWORD });
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('Nobody answers at')]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['another password', { PASSWORD: 'of somebody else' }, 'PASSWORD is not that of operator@localhost'],
    ['no folder', { DATA_DIR: '/nowhere/at/all' }, 'DATA_DIR=/nowhere/at/all is no folder'],
    ['a path behind the address', { BASE: '/api/v2' }, 'BASE is its address without a path'],
  ])('say what is wrong with %s, before anything is made', async (_, { BASE = '', ...wrong }, told) => {
    const right = { DATA_DIR: service.path, PASSWORD, BASE: `http://127.0.0.1:${service.port}${BASE}` };
    const { code, stderr } = await play({ ...right, ...wrong });
    expect([code, stderr]).toEqual([1, expect.stringContaining(told)]);
  });

  it('say that codes are not where they are looked for', async () => {
    const fresh = await Service.start({
      environment: { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD },
    });
    const empty = await temporaryFolder();
    try {
      const BASE = `http://127.0.0.1:${fresh.port}`;
      const { code, stderr } = await play({ BASE, DATA_DIR: empty.path, PASSWORD });
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`There is no ${empty.path}/sms-outbox.ndjson. DATA_DIR=… is the folder`),
      ]);
    } finally {
      await empty.remove();
      await fresh.close();
    }
  });
});
