import { join } from 'node:path';
import { type Child, startChild } from '../../support/child-process.js';
import {
  type Answer,
  type CallOptions,
  HttpClient,
  type Method,
  type Parsed,
} from '../../support/http-client.js';
import { demand } from '../../support/service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { UNLIMITED } from '../../support/unlimited.js';

export interface ServiceProcessOptions {
  readonly eventStoreUrl?: string;
  /** With the database's name in it. */
  readonly mongoUrl?: string;
  /** How long the others wait for a silent keeper of the views. */
  readonly lease?: number;
  /** Kept by the caller; a temporary one of its own where absent. */
  readonly folder?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const OPERATOR = { email: 'ada@example.com', password: 'correct horse battery staple' };

/** The service in a process of its own. */
export class ServiceProcess {
  #client: HttpClient | undefined;
  #session: Promise<string> | undefined;

  private constructor(
    readonly child: Child,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  static async start(options: ServiceProcessOptions): Promise<ServiceProcess> {
    const temporary = options.folder === undefined ? await temporaryFolder() : undefined;
    const environment = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: options.folder ?? temporary!.path,
      ...(options.eventStoreUrl === undefined ? {} : { EVENTSTORE_URL: options.eventStoreUrl }),
      ...(options.mongoUrl === undefined ? {} : { MONGODB_URL: options.mongoUrl }),
      KEY_MASTER_SECRET: 'a master secret for tests, 32 or more',
      OPERATOR_EMAIL: OPERATOR.email,
      OPERATOR_PASSWORD: OPERATOR.password,
      ...UNLIMITED,
      LOG_LEVEL: 'error',
      ...options.environment,
    };
    const lease = String(options.lease ?? 10_000);
    const child = startChild(join(__dirname, 'service.child.ts'), JSON.stringify(environment), lease);
    const started = new ServiceProcess(child, () => temporary?.remove() ?? Promise.resolve());
    const line = await child.line('listening on port ');
    started.#client = new HttpClient(Number(line.slice('listening on port '.length)));
    return started;
  }

  get port(): number {
    return this.#client!.port;
  }

  call(method: Method, path: string, options?: CallOptions): Promise<Answer> {
    return this.#client!.call(method, path, options);
  }

  /** Calls the operator API, signed in. */
  async operator(method: Method, path: string, body?: unknown): Promise<Answer> {
    this.#session ??= this.call('post', '/api/operator/sessions', { body: OPERATOR }).then(
      (answer) => demand(201, answer).token as string,
    );
    return this.call(method, `/api/operator${path}`, { body, token: await this.#session });
  }

  /** A company with a token and one location, `MAIN`. */
  async company(name = 'Park Storage'): Promise<ProcessCompany> {
    const { company_id } = demand(201, await this.operator('post', '/companies', { name }));
    const path = `/companies/${company_id}`;
    const { token, token_id } = demand(201, await this.operator('post', `${path}/api-tokens`, { name }));
    const location = { pms_location_code: 'MAIN', name };
    const { location_id } = demand(201, await this.operator('post', `${path}/locations`, location));
    return { id: company_id, token, token_id, location_id };
  }

  /** All units of a company as lists answer them. */
  async units({ token }: ProcessCompany): Promise<Parsed[]> {
    const units: Parsed[] = [];
    for (let cursor = ''; ;) {
      const data = demand(200, await this.call('get', `/api/v2/units?limit=500${cursor}`, { token }));
      units.push(...data.units);
      if (data.next_cursor === null) return units;
      cursor = `&cursor=${encodeURIComponent(data.next_cursor)}`;
    }
  }

  /** The fences under which this process has been the keeper of the views. */
  get fences(): number[] {
    return this.child.lines
      .filter((line) => line.startsWith('leads '))
      .map((line) => Number(line.split(' ')[1]));
  }

  /** What became of its writes of the checkpoint. */
  get checkpoints(): { fence: number; version: number; outcome: string }[] {
    return this.child.lines
      .filter((line) => line.startsWith('checkpoint '))
      .map((line) => line.split(' '))
      .map(([, fence, version, outcome]) => ({
        fence: Number(fence),
        version: Number(version),
        outcome: outcome!,
      }));
  }

  signal(name: NodeJS.Signals): void {
    process.kill(this.child.pid, name);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.child.kill();
    await this.#end();
  }

  /** SIGTERM. @returns the exit code */
  async stop(): Promise<number | null> {
    this.signal('SIGTERM');
    const code = await this.child.ended;
    await this.#end();
    return code;
  }

  async #end(): Promise<void> {
    this.#client?.close();
    await this.removeFolder();
  }
}

export interface ProcessCompany {
  readonly id: string;
  readonly token: string;
  readonly token_id: string;
  readonly location_id: string;
}
