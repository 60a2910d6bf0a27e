import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HttpClient } from '../../support/http-client.js';

const ROOT = join(__dirname, '..', '..', '..');
const REGISTER = join(ROOT, 'test', 'support', 'swc-register.cjs');

export const OPERATOR = { email: 'faults@localhost', password: 'operator of the fault tests' } as const;

/** What a process needs to run at all, whatever the tester's own environment configures. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR };
}

/** The real service in a process of its own, to be killed. */
export class ServiceProcess {
  #expected = false;
  readonly client: HttpClient;
  readonly ended: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    private readonly errors: readonly string[],
  ) {
    this.client = new HttpClient(port);
    this.ended = ended(child);
  }

  /**
   * Starts the service on a folder and waits until it listens.
   * @param killAfter kills it so many milliseconds after the process began, whether or not it listens by then
   * @returns undefined where it was killed before it listened. @throws Error where it ended by itself
   */
  static async start(
    folder: string,
    {
      killAfter,
      environment = {},
    }: { readonly killAfter?: number; readonly environment?: Readonly<Record<string, string>> } = {},
  ): Promise<ServiceProcess | undefined> {
    const child = spawn(process.execPath, ['-r', REGISTER, join(ROOT, 'src', 'main.ts')], {
      env: {
        ...bareEnvironment(),
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: folder,
        LOG_LEVEL: 'warn',
        OPERATOR_EMAIL: OPERATOR.email,
        OPERATOR_PASSWORD: OPERATOR.password,
        RATE_LIMIT_PMS_WRITES: '1000000',
        RATE_LIMIT_PMS_BULK: '1000000',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // An interrupted test leaves no service behind.
    const killAtExit = () => void child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.once('exit', () => process.removeListener('exit', killAtExit));
    const errors: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => void errors.push(line));
    if (killAfter !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfter).unref();
    const port = await listeningPort(child, errors);
    if (port !== undefined) return new ServiceProcess(child, port, errors);
    if (killAfter !== undefined && child.signalCode === 'SIGKILL') return undefined;
    throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}: ${errors.join('\n')}`);
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** What the process wrote to standard error. */
  get complaints(): readonly string[] {
    return this.errors;
  }

  /** @throws Error where the process has ended by itself */
  demandAlive(): void {
    const { exitCode, signalCode } = this.child;
    if (this.#expected || (exitCode === null && signalCode === null)) return;
    throw new Error(`The service ended with ${exitCode ?? signalCode}: ${this.errors.join('\n')}`);
  }

  async kill(): Promise<void> {
    this.#expected = true;
    this.child.kill('SIGKILL');
    await this.ended;
    this.client.close();
  }

  /** Asks it to end. @returns its exit status */
  async stop(): Promise<number | null> {
    this.#expected = true;
    this.client.close();
    this.child.kill('SIGTERM');
    return this.ended;
  }
}

function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}

/** The port that the process announces; undefined where it ends before. */
function listeningPort(child: ChildProcess, errors: string[]): Promise<number | undefined> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const port = /listening on port (\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
      if (line.includes('"level":50')) errors.push(line);
    });
    child.once('exit', () => resolve(undefined));
  });
}

export interface Setup {
  readonly company_id: string;
  readonly token: string;
}

/** A company with two locations, `A` and `B`, and an API token. */
export async function setUpCompany({ client }: ServiceProcess): Promise<Setup> {
  const call = async (path: string, body: object, token?: string) => {
    const answer = await client.call('post', `/api/operator${path}`, { body, token });
    if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`);
    return answer.body.data;
  };
  const { token: session } = await call('/sessions', OPERATOR);
  const { company_id } = await call('/companies', { name: 'Faults' }, session);
  for (const pms_location_code of ['A', 'B']) {
    const location = { pms_location_code, name: pms_location_code, timezone: 'America/Chicago' };
    await call(`/companies/${company_id}/locations`, location, session);
  }
  const { token } = await call(`/companies/${company_id}/api-tokens`, { name: 'faults' }, session);
  return { company_id, token };
}
