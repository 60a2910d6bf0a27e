import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { announcedPort } from '#kernel/announcement.js';
import { compiledService } from './compiled-service.js';
import { HttpClient } from './http-client.js';
import { waitUntil } from './wait-until.js';
import { UNLIMITED } from './unlimited.js';

export const OPERATOR = { email: 'ada@localhost', password: 'operator of the tests' } as const;

export interface StartOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of Node, before the program's name. */
  readonly nodeArguments?: readonly string[];
  /** A command that runs Node, such as {@link OWN_NAMESPACE}. */
  readonly under?: readonly string[];
}

/** The real service in a process of its own, with nothing of the tester's environment that configures it. */
export class ServiceProcess {
  /** Lines of its standard output so far. */
  readonly lines: string[] = [];
  /** Lines of its standard error so far. */
  readonly errors: string[] = [];
  /** Resolves with the exit status; null after a signal that it did not take. */
  readonly ended: Promise<number | null>;
  #client: HttpClient | undefined;
  #expectedToEnd = false;

  private constructor(private readonly child: ReturnType<typeof spawn>) {
    createInterface({ input: child.stdout! }).on('line', (line) => this.lines.push(line));
    createInterface({ input: child.stderr! }).on('line', (line) => this.errors.push(line));
    this.ended = new Promise((resolve) => child.once('close', resolve));
    // An interrupted test leaves no service behind.
    const killAtExit = () => void child.kill('SIGKILL');
    process.once('exit', killAtExit);
    child.once('exit', () => process.removeListener('exit', killAtExit));
  }

  /** Starts a process on a folder; it may well end by itself. */
  static async spawn(
    folder: string,
    { environment = {}, nodeArguments = [], under = [] }: StartOptions = {},
  ): Promise<ServiceProcess> {
    const { PATH, HOME, TMPDIR } = process.env;
    const { dist, packed } = await compiledService();
    const [program, ...words] = [
      ...under,
      process.execPath,
      ...packed,
      ...nodeArguments,
      join(dist, 'main.js'),
    ];
    const child = spawn(program, words, {
      env: {
        ...{ PATH, HOME, TMPDIR },
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: folder,
        LOG_LEVEL: 'info',
        ACCESS_LOG: 'false',
        OPERATOR_EMAIL: OPERATOR.email,
        OPERATOR_PASSWORD: OPERATOR.password,
        ...UNLIMITED,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new ServiceProcess(child);
  }

  /** Starts the service and waits until it listens. @throws Error with what it said where it ended instead, or hung */
  static async start(folder: string, options: StartOptions = {}): Promise<ServiceProcess> {
    const service = await ServiceProcess.spawn(folder, options);
    try {
      if (!(await service.listens())) service.demandAlive();
    } catch (error) {
      await service.kill();
      throw error;
    }
    return service;
  }

  /** Resolves with whether it listens; false where it has ended. */
  async listens(): Promise<boolean> {
    const { port } = await waitUntil(
      () => ({ port: this.#announced(), lines: this.lines, errors: this.errors, hasEnded: this.hasEnded }),
      ({ port, hasEnded }) => port !== undefined || hasEnded,
      // Views that are filled from a long log say so.
      ({ lines }) => lines.length,
    );
    if (port !== undefined) this.#client ??= new HttpClient(port);
    else await this.ended;
    return port !== undefined;
  }

  get pid(): number {
    return this.child.pid!;
  }

  get port(): number {
    return this.client.port;
  }

  /** Calls the service, once it listens. */
  get client(): HttpClient {
    if (this.#client === undefined) throw new Error('Nobody has waited for the service to listen.');
    return this.#client;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** What it wrote to standard error, and the errors that it logged. */
  get complaints(): string[] {
    return [...this.errors, ...this.lines.filter((line) => line.includes('"level":50'))];
  }

  /** @throws Error where the process has ended by itself */
  demandAlive(): void {
    if (this.#expectedToEnd || !this.hasEnded) return;
    const { exitCode, signalCode } = this.child;
    throw new Error(`The service ended with ${exitCode ?? signalCode}: ${this.complaints.join('\n')}`);
  }

  /** Kills it and waits for the end. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Asks it to end. @returns its exit status */
  stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  /** @returns its exit status; null where the signal ended it */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    this.#expectedToEnd = true;
    this.child.kill(signal);
    const status = await this.ended;
    this.#client?.close();
    return status;
  }

  #announced(): number | undefined {
    for (const line of this.lines) {
      const port = announcedPort(line);
      if (port !== undefined) return port;
    }
    return undefined;
  }
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
