import { serviceEnvironment } from '../../../tools/bench/measured-service.js';
import { OPERATOR, setUpService } from '../../../tools/bench/service-setup.js';
import { startChildServer, type ChildServer } from '../../../tools/bench/child-server.js';
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
};
const HOSTILE_ADDRESS = { 'X-Forwarded-For': '203.0.113.66' };
/** Companies of the honest client: it reads more than one company may. */
const HONEST = 3;
const AUDITOR = { email: 'auditor@example.com', password: 'an auditor who is hostile 7' } as const;

/** The service in a process of its own, with a hostile company and honest ones. */
export interface HostileService {
  readonly server: ChildServer;
  readonly port: number;
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
  readonly readers: readonly Reader[];
  readonly call: (method: Method, path: string, options?: CallOptions) => Promise<Answer>;
  /** The longest undivided work since the last call, in milliseconds of processor time. */
  longestStretch(): Promise<number>;
  close(): Promise<void>;
}

export async function startHostileService(folder: string, units: number): Promise<HostileService> {
  const stretches = new Stretches();
  const server = await startChildServer({
    script: join((await compiledService()).dist, 'main.js'),
    nodeArguments: [...AS_IT_SHIPS, '-r', join(__dirname, 'stretch-probe.cjs')],
    environment: { ...serviceEnvironment(folder, OPERATOR), ...DEFAULT_LIMITS, ...PRODUCTION },
    onLine: (line) => stretches.take(line),
  });
  const client = new HttpClient(server.port);
  const call = (method: Method, path: string, options: CallOptions = {}) =>
    client.call(method, path, {
      ...options,
      headers: { ...HOSTILE_ADDRESS, ...options.headers },
      mayFail: true,
    });
  const { api_token, tenant_token } = await setUpService(server.port, folder, units);
  const admin = await signIn(call, OPERATOR);
  const operator = async (method: Method, path: string, body?: object): Promise<Parsed> =>
    dataOf(await call(method, `/api/operator${path}`, { body, token: admin }), path);
  const [company] = (await operator('get', '/companies')).companies;
  const { company_id } = company;
  const [location] = (await operator('get', `/companies/${company_id}`)).locations;
  const { location_id } = location;
  const [lock] = (await operator('get', `/locations/${location_id}/locks`)).locks;
  const { invitation } = await operator('post', '/operators', { email: AUDITOR.email, role: 'auditor' });
  await joinOperator(server.port, invitation, AUDITOR.password);
  const readers: Reader[] = [];
  for (let number = 0; number < HONEST; number += 1) readers.push(await honestReader(operator, call, number));
  return {
    server,
    port: server.port,
    company_id,
    location_id,
    lock_id: lock.lock_id,
    tokens: { pms: api_token, tenant: tenant_token, auditor: await signIn(call, AUDITOR), admin },
    auditor: AUDITOR,
    readers,
    call,
    longestStretch: () => stretches.ask(server.pid),
    async close() {
      client.close();
      await server.stop();
    },
  };
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
