import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { HttpAdapterHost } from '@nestjs/core';
import { systemClock } from '#kernel/clock.js';
import { DEFAULT_STREAM_PREFIX } from '#kernel/environment/environment.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { mongoServer, whyNoStandIn } from '../../support/mongo-server.js';
import { ownStreams } from '../../support/own-streams.js';
import { type Company, demand, Service, type Stores } from '../../support/service.js';
import { type Cost, CountedCalls } from './counted-calls.js';
import { dropDatabase } from './server-stores.js';

const CALL_TIMEOUT_MS = 25_000;

/** A service on the double of EventStoreDB and a MongoDB, whose calls are counted. */
class CountedService {
  #units = 0;

  private constructor(
    readonly company: Company,
    private readonly counted: CountedCalls,
    private readonly service: Service,
    private readonly double: EventStoreDbDouble,
    private readonly sessions: { readonly alone: string; readonly sharing: string },
  ) {}

  static async start(mongoUrl: string, database: string): Promise<CountedService> {
    const counted = new CountedCalls();
    const double = await EventStoreDbDouble.start();
    const open = () => openStores(counted, { double, mongoUrl, database });
    const service = await Service.start({
      clock: systemClock,
      stores: { open, dropViews: () => Promise.resolve() },
    });
    counted.serve(service.part(HttpAdapterHost).httpAdapter.getHttpServer() as Server);
    const company = await service.company();
    const sessions = await beginSessions(service, company);
    return new CountedService(company, counted, service, double, sessions);
  }

  /** In this order: a bulk of the first go is changed by later ones, and then unchanged. */
  readonly requests: readonly [name: string, ask: (go: number) => Promise<unknown>][] = [
    ['a new move-in', () => this.#moveIn()],
    ['the same under a key', () => this.#moveIn(keyed)],
    ['the same again: a replay', () => this.#moveIn(keyed, 'replayed')],
    ['a changed fact', (go) => this.company.patch('U-1', { balance_due: go + 1 })],
    ['an unchanged one', () => this.company.patch('U-1', { balance_due: 4 })],
    ['a unit', () => this.company.unit('U-1')],
    ['a list of units', () => this.#read('/units?limit=50')],
    ["a page of a unit's history", () => this.#read('/units/alone/history')],
    ["a tenant's access", () => this.#access(this.sessions.alone)],
    ['the same where a unit is shared', () => this.#access(this.sessions.sharing)],
    ['a bulk of 20 new units', (go) => this.#bulk(20, 0, `${go}`)],
    [
      'a bulk of 20 new units that says who their tenants are',
      (go) => this.#bulk(20, 0, `of-${go}`, { person: { first_name: 'Ada', last_name: 'Park' } }),
    ],
    ['a bulk of 100 new units', (go) => this.#bulk(100, 0, `more-${go}`)],
    ['the same under a key', (go) => this.#bulk(100, 0, `keyed-${go}`, { headers: keyed(`bulk-${go}`) })],
    ['a bulk that changes 100', (go) => this.#bulk(100, go + 1, 'more-0')],
    ['a bulk that changes none of 100', () => this.#unchangedBulk()],
  ];

  costOf(ask: (go: number) => Promise<unknown>) {
    return this.counted.costOf(ask);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.double.close();
  }

  /** A move-in of a tenant and on a unit that nobody has heard of, if it is given no name. */
  #moveIn(headers?: (name: string) => Record<string, string>, name = `U-${(this.#units += 1)}`) {
    const body = { pms_tenant_id: name, move_in_date: '2025-12-01', pms_location_code: 'MAIN' };
    return this.company.push('put', `/units/${name}/tenancy`, body, headers?.(name));
  }

  async #read(path: string) {
    return demand(200, await this.company.push('get', path));
  }

  #access(token: string) {
    return this.service.call('get', '/api/v2/tenant/access', { token });
  }

  #bulk(
    size: number,
    balance_due: number,
    name: string,
    { person, headers }: { person?: object; headers?: Record<string, string> } = {},
  ) {
    const units = Array.from({ length: size }, (_, number) => ({
      crm_unit_id: `B-${name}-${number}`,
      occupied: true,
      move_in_date: '2025-12-01',
      ...tenantOf(`b-${name}-${number}`, person),
      balance_due,
      pms_location_code: 'MAIN',
    }));
    return this.company.push('patch', '/units', { units }, headers);
  }

  /** Behind an event that the views need not show: where none is, one call fewer is made. */
  #unchangedBulk() {
    const event = { type: 'Theirs', contentType: 'application/json', data: Buffer.from('{}') };
    this.double.log.append('theirs', 'any', [{ ...event, id: randomUUID(), metadata: Buffer.from('{}') }]);
    return this.#bulk(100, 4, 'more-0');
  }
}

interface Servers {
  readonly double: EventStoreDbDouble;
  readonly mongoUrl: string;
  readonly database: string;
}

async function openStores(counted: CountedCalls, { double, mongoUrl, database }: Servers): Promise<Stores> {
  const url = `${mongoUrl}${mongoUrl.includes('?') ? '&' : '/?'}monitorCommands=true`;
  const connection = await MongoDbConnection.open(url, { callTimeout: CALL_TIMEOUT_MS });
  counted.watchMongo(connection.client);
  const log = new EventStoreDbEventStore({ url: double.url(), streamPrefix: DEFAULT_STREAM_PREFIX });
  const at = (prefix: string) =>
    new MongoDbDocumentStore(connection, { clock: systemClock, database, prefix });
  return {
    eventStore: counted.watchLog(ownStreams(log)),
    records: at('records_'),
    views: at('views_'),
    embedded: false,
  };
}

/** Three tenants with a unit each, of whom one shares the unit of another. */
async function beginSessions(service: Service, company: Company) {
  const names = ['alone', 'primary', 'sharing'];
  const units = names.map((pms_tenant_id) => {
    const tenant = { pms_tenant_id, first_name: 'Ada', last_name: 'Park' };
    return { crm_unit_id: pms_tenant_id, occupied: true, move_in_date: '2025-12-01', tenant };
  });
  demand(200, await company.sync(units));
  const location_id = company.locations.get('MAIN')!;
  const keys = names.map((pms_tenant_id) => ({ company_id: company.id, location_id, pms_tenant_id }));
  const accounts = await service.part(TenantAccounts).find(keys);
  const { unit_id } = await company.unit('primary');
  demand(200, await service.operator('put', `/units/${unit_id}/shares/${accounts[2]!.tenant_id}`));
  const sessions = service.part(TenantSessions);
  const alone = await sessions.begin(accounts[0]!);
  const sharing = await sessions.begin(accounts[2]!);
  return { alone: alone.token, sharing: sharing.token };
}

function keyed(name: string): Record<string, string> {
  return { 'Idempotency-Key': name };
}

function tenantOf(pms_tenant_id: string, person: object | undefined): object {
  return person === undefined ? { pms_tenant_id } : { tenant: { pms_tenant_id, ...person } };
}

/** Prints the calls of requests to both servers, as docs/servers.md has them: `npm run calls`. */
async function printCalls(): Promise<void> {
  const mongo = await mongoServer();
  const database = `test_${randomUUID()}`;
  const service = await CountedService.start(mongo.url, database);
  try {
    for (const [name, ask] of service.requests) printCost(name, await service.costOf(ask));
  } finally {
    await service.close();
    await dropDatabase(mongo.url, database);
    await mongo.stop();
  }
}

function printCost(name: string, { calls, depth, names }: Cost): void {
  console.log(`${name}: ${calls} calls, ${depth} one after another`);
  if (process.argv.includes('--names')) console.log(names.map((call) => `  ${call}`).join('\n'));
}

const missing = process.env['TEST_MONGODB_URL'] === undefined ? whyNoStandIn() : undefined;
if (missing === undefined) void printCalls();
else {
  console.error(`No MongoDB: ${missing}. Or name one in TEST_MONGODB_URL.`);
  process.exitCode = 2;
}
