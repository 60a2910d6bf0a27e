import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Service } from '../support/service.js';

const SCRIPT = join(__dirname, '..', '..', 'docs', 'first-steps.sh');
const PASSWORD = 'first steps, of our own';

const run = promisify(execFile);

interface Ended {
  readonly code?: number;
  readonly stdout: string;
  readonly stderr: string;
}

function play(variables: Readonly<Record<string, string>>): Promise<Ended> {
  const { PATH = '' } = process.env;
  return run('sh', [SCRIPT], { env: { PATH, ...variables } }).catch((error: unknown) => error as Ended);
}

describe('the first steps as a script', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start({
      environment: { OPERATOR_EMAIL: 'operator@localhost', OPERATOR_PASSWORD: PASSWORD },
    });
  });
  afterAll(() => service.close());

  it('take every value from the answer before, up to the auditor, and say how to go on', async () => {
    const variables = { BASE: `http://127.0.0.1:${service.port}`, DATA_DIR: service.path, PASSWORD };
    const { code, stdout, stderr } = await play(variables);
    expect({ code, stderr }).toMatchObject({ code: undefined });
    expect(stdout).toMatch(/> GET \/api\/v2\/tenant\/access\n< 200 .*"tenant_permitted"/);
    expect(stdout).toMatch(/> GET \/api\/v2\/units\/A-101\/as-of\?at=20\S+\n< 200 .*"tenant_denied"/);
    const token = /^export TOKEN=(\S+)$/m.exec(stdout)![1]!;
    expect((await service.call('get', '/api/v2/company', { token })).status).toBe(200);
    // What a service has taken once it cannot take as for the first time.
    const again = await play(variables);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('not taken them before')]);
  });

  it('name what is missing', async () => {
    const mute = await play({});
    expect(mute.code).not.toBe(0);
    expect(mute.stderr).toContain('PASSWORD: is what the first start of the service printed');
    const alone = await play({ BASE: 'http://127.0.0.1:1', PASSWORD });
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('Nobody answers at')]);
  });
});
