import { serviceEnvironment } from '../../../tools/bench/measured-service.js';
import { OPERATOR, setUpService } from '../../../tools/bench/service-setup.js';
import { startChildServer, type ChildServer } from '../../../tools/bench/child-server.js';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { joinOperator } from '../../support/join-operator.js';
import { compiledService } from '../../support/compiled-service.js';
import {
  type Answer,
  type CallOptions,
  HttpClient,
  type Method,
  type Parsed,
} from '../../support/http-client.js';
import type { Reader } from './honest-client.js';

/** The limits that the service has by itself. */
const DEFAULT_LIMITS = {
  RATE_LIMIT_PMS_WRITES: '600',
  RATE_LIMIT_PMS_BULK: '60',
  RATE_LIMIT_READS: '1200',
  RATE_LIMIT_OPERATORS: '1200',
  RATE_LIMIT_TENANT_READS: '300',
};
const AS_IT_SHIPS = ['--max-semi-space-size=64', '--heap-growing-percent=100'];
/** As it ships, behind a proxy that names each client's address. */
const PRODUCTION = {
  NODE_ENV: 'production',
  KEY_MASTER_SECRET: 'a master secret of the campaign, 32 or more',
  SMS_PROVIDER: 'outbox',
  TRUSTED_PROXIES: '127.0.0.1',
  PULL_ALLOW_PRIVATE: 'true',
  PUBLIC_URL: 'https://access.example',
};
const HOSTILE_ADDRESS = { 'X-Forwarded-For': '203.0.113.66' };
/** Companies of the honest client: it reads more than one company may. */
const HONEST = 3;
const AUDITOR = { email: 'auditor@example.com', password: 'an auditor who is hostile 7' } as const;

/** Gets a second factor in the campaign. */
const GUARDED = { email: 'guarded@example.com', password: 'an auditor with an app 8' } as const;

/** Where the service keeps its data, and in how many processes it runs. */
export interface HostileStores {
  readonly processes: number;
  /** The variables that name the stores. */
  readonly environment: Readonly<Record<string, string>>;
}

export const EMBEDDED: HostileStores = { processes: 1, environment: {} };

/** The service in processes of its own, with a hostile company and honest ones. */
export interface HostileService {
  /** The process that the honest client reads from. */
  readonly server: ChildServer;
  readonly company_id: string;
  readonly location_id: string;
  readonly lock_id: string;
  /** A hostile PMS's, tenant's, auditor's and manager's. */
  readonly tokens: {
    readonly pms: string;
    readonly tenant: string;
    readonly auditor: string;
    readonly admin: string;
  };
  readonly auditor: typeof AUDITOR;
  readonly guarded: typeof GUARDED & { readonly token: string };
  readonly readers: readonly Reader[];
  /** Asks the processes in turn. */
  readonly call: (method: Method, path: string, options?: CallOptions) => Promise<Answer>;
  /** The most that one process has of its own now, in bytes. */
  memory(): number;
  /** The longest undivided work of a process since the last call, in milliseconds of processor time. */
  longestStretch(): Promise<number>;
  /** What the processes have logged since the last call about requests that they could not serve. */
  complaints(): string[];
  close(): Promise<void>;
}

export async function startHostileService(
  folder: string,
  units: number,
  stores: HostileStores = EMBEDDED,
): Promise<HostileService> {
  const complaints: string[] = [];
  const processes: HostileProcess[] = [];
  for (let number = 0; number < stores.processes; number += 1)
    processes.push(await HostileProcess.start(join(folder, String(number)), stores, complaints));
  const [{ server, folder: outbox }] = processes as [HostileProcess];
  let calls = 0;
  const call = (method: Method, path: string, options: CallOptions = {}) => {
    calls += 1;
    return processes[calls % processes.length]!.client.call(method, path, {
      ...options,
      headers: { ...HOSTILE_ADDRESS, ...options.headers },
      mayFail: true,
    });
  };
  const { api_token, tenant_token } = await setUpService(server.port, outbox, units);
  const admin = await signIn(call, OPERATOR);
  const operator = async (method: Method, path: string, body?: object): Promise<Parsed> =>
    dataOf(await call(method, `/api/operator${path}`, { body, token: admin }), path);
  const [company] = (await operator('get', '/companies')).companies;
  const { company_id } = company;
  const [location] = (await operator('get', `/companies/${company_id}`)).locations;
  const { location_id } = location;
  const [lock] = (await operator('get', `/locations/${location_id}/locks`)).locks;
  for (const { email, password } of [AUDITOR, GUARDED]) {
    const { invitation } = await operator('post', '/operators', { email, role: 'auditor' });
    await joinOperator(server.port, invitation, password);
  }
  const readers: Reader[] = [];
  for (let number = 0; number < HONEST; number += 1) readers.push(await honestReader(operator, call, number));
  return {
    server,
    company_id,
    location_id,
    lock_id: lock.lock_id,
    tokens: { pms: api_token, tenant: tenant_token, auditor: await signIn(call, AUDITOR), admin },
    auditor: AUDITOR,
    guarded: { ...GUARDED, token: await signIn(call, GUARDED) },
    readers,
    call,
    memory: () => Math.max(...processes.map((one) => one.server.memory()?.own ?? 0)),
    longestStretch: async () =>
      Math.max(...(await Promise.all(processes.map((one) => one.longestStretch())))),
    complaints: () => complaints.splice(0),
    async close() {
      await Promise.all(processes.map((one) => one.close()));
    },
  };
}

const COMPLAINT = /A request (failed|could not be served|was not served in time)/;

/** One process of the service. */
class HostileProcess {
  readonly client: HttpClient;

  private constructor(
    readonly folder: string,
    readonly server: ChildServer,
    private readonly stretches: Stretches,
  ) {
    this.client = new HttpClient(server.port);
  }

  static async start(
    folder: string,
    { environment }: HostileStores,
    complaints: string[],
  ): Promise<HostileProcess> {
    await mkdir(folder, { recursive: true });
    const stretches = new Stretches();
    const server = await startChildServer({
      script: join((await compiledService()).dist, 'main.js'),
      nodeArguments: [...AS_IT_SHIPS, '-r', join(__dirname, 'stretch-probe.cjs')],
      environment: {
        ...serviceEnvironment(folder, OPERATOR),
        ...DEFAULT_LIMITS,
        ...PRODUCTION,
        ...environment,
      },
      onLine: (line) => {
        stretches.take(line);
        if (COMPLAINT.test(line)) complaints.push(line);
      },
    });
    return new HostileProcess(folder, server, stretches);
  }

  longestStretch(): Promise<number> {
    return this.stretches.ask(this.server.pid);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.server.stop();
  }
}

/** Reads what the probe in the service writes. */
class Stretches {
  #waiting: ((milliseconds: number) => void) | undefined;

  take(line: string): void {
    const [, milliseconds] = /^longest stretch: (.+)$/.exec(line) ?? [];
    if (milliseconds !== undefined) this.#waiting?.(Number(milliseconds));
  }

  ask(pid: number): Promise<number> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      process.kill(pid, 'SIGUSR2');
    });
  }
}

type Call = HostileService['call'];

async function signIn(call: Call, body: object): Promise<string> {
  return dataOf(await call('post', '/api/operator/sessions', { body }), 'a sign-in').token;
}

async function honestReader(
  operator: (method: Method, path: string, body?: object) => Promise<Parsed>,
  call: Call,
  number: number,
): Promise<Reader> {
  const { company_id } = await operator('post', '/companies', { name: `Honest ${number}` });
  const place = { pms_location_code: 'MAIN', name: 'Main', timezone: 'America/New_York' };
  await operator('post', `/companies/${company_id}/locations`, place);
  const { token } = await operator('post', `/companies/${company_id}/api-tokens`, { name: 'honest' });
  const units = [{ crm_unit_id: 'H-1', occupied: false }];
  dataOf(await call('patch', '/api/v2/units', { body: { units }, token }), 'the honest unit');
  return { token, path: '/api/v2/units/H-1' };
}

function dataOf({ status, text, body }: Answer, what: string): Parsed {
  if (status >= 300) throw new Error(`${what} was answered with ${status}: ${text}`);
  return body.data;
}
