import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { HttpAdapterHost } from '@nestjs/core';
import { DEFAULT_STREAM_PREFIX } from '../../src/config/environment.js';
import { systemClock } from '../../src/config/clock.js';
import { MongoDbConnection } from '../../src/documents/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '../../src/documents/mongodb/mongodb-document-store.js';
import { EventStoreDbEventStore } from '../../src/log/eventstoredb/index.js';
import { EventStoreDbDouble } from '../support/eventstoredb-double/index.js';
import { describeWithMongo, mongoServer, type MongoServer } from '../support/mongo-server.js';
import { ownStreams } from '../support/own-streams.js';
import { TenantAccounts, TenantSessions } from '../../src/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { type Cost, CountedCalls } from './counted-calls.js';
import { dropDatabase } from './server-stores.js';

describeWithMongo('what a request asks of servers', () => {
  const database = `test_${randomUUID()}`;
  const counted = new CountedCalls();
  let mongo: MongoServer;
  let double: EventStoreDbDouble;
  let service: Service;
  let company: Company;
  let session: string;
  let sharing: string;

  beforeAll(async () => {
    mongo = await mongoServer();
    double = await EventStoreDbDouble.start();
    service = await Service.start({
      clock: systemClock,
      stores: { open: openStores, dropViews: () => Promise.resolve() },
    });
    counted.serve(service.part(HttpAdapterHost).httpAdapter.getHttpServer() as Server);
    company = await service.company();
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
    session = (await sessions.begin(accounts[0]!)).token;
    sharing = (await sessions.begin(accounts[2]!)).token;
  });
  afterAll(async () => {
    await service.close();
    await double.close();
    await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  async function openStores() {
    const url = `${mongo.url}${mongo.url.includes('?') ? '&' : '/?'}monitorCommands=true`;
    const connection = await MongoDbConnection.open(url, { callTimeout: 25_000 });
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

  let names = 0;
  /** A move-in of a tenant and on a unit that nobody has heard of. */
  const moveIn = (headers?: (name: string) => Record<string, string>, name = `U-${(names += 1)}`) => {
    const body = { pms_tenant_id: name, move_in_date: '2025-12-01', pms_location_code: 'MAIN' };
    return company.push('put', `/units/${name}/tenancy`, body, headers?.(name));
  };
  const keyed = (name: string) => ({ 'Idempotency-Key': name });
  const access = (token: string) => service.call('get', '/api/v2/tenant/access', { token });
  const read = async (path: string) => demand(200, await company.push('get', path));
  const tenantOf = (pms_tenant_id: string, person?: object) =>
    person === undefined ? { pms_tenant_id } : { tenant: { pms_tenant_id, ...person } };
  const bulk = (
    size: number,
    balance_due: number,
    name: string | number,
    { person, headers }: { person?: object; headers?: Record<string, string> } = {},
  ) => {
    const units = Array.from({ length: size }, (_, number) => ({
      crm_unit_id: `B-${name}-${number}`,
      occupied: true,
      move_in_date: '2025-12-01',
      ...tenantOf(`b-${name}-${number}`, person),
      balance_due,
      pms_location_code: 'MAIN',
    }));
    return company.push('patch', '/units', { units }, headers);
  };
  /** Behind an event that the views need not show: where none is, one call fewer is made. */
  const unchangedBulk = () => {
    const event = { type: 'Theirs', contentType: 'application/json', data: Buffer.from('{}') };
    double.log.append('theirs', 'any', [{ ...event, id: randomUUID(), metadata: Buffer.from('{}') }]);
    return bulk(100, 4, 'more-0');
  };
  /** In this order: a bulk of the first go is changed by later ones, and then unchanged. */
  const REQUESTS: [string, (go: number) => Promise<unknown>, Pick<Cost, 'calls' | 'depth'>][] = [
    ['a new move-in', () => moveIn(), { calls: 10, depth: 8 }],
    ['the same under a key', () => moveIn(keyed), { calls: 13, depth: 11 }],
    ['the same again: a replay', () => moveIn(keyed, 'replayed'), { calls: 3, depth: 3 }],
    ['a changed fact', (go) => company.patch('U-1', { balance_due: go + 1 }), { calls: 8, depth: 6 }],
    ['an unchanged one', () => company.patch('U-1', { balance_due: 4 }), { calls: 5, depth: 4 }],
    ['a unit', () => company.unit('U-1'), { calls: 6, depth: 4 }],
    ['a list of units', () => read('/units?limit=50'), { calls: 6, depth: 5 }],
    ["a page of a unit's history", () => read('/units/alone/history'), { calls: 7, depth: 5 }],
    ["a tenant's access", () => access(session), { calls: 8, depth: 4 }],
    ['the same where a unit is shared', () => access(sharing), { calls: 9, depth: 5 }],
    ['a bulk of 20 new units', (go) => bulk(20, 0, go), { calls: 12, depth: 9 }],
    [
      'a bulk of 20 new units that says who their tenants are',
      (go) => bulk(20, 0, `of-${go}`, { person: { first_name: 'Ada', last_name: 'Park' } }),
      { calls: 12, depth: 9 },
    ],
    ['a bulk of 100 new units', (go) => bulk(100, 0, `more-${go}`), { calls: 12, depth: 9 }],
    [
      'the same under a key',
      (go) => bulk(100, 0, `keyed-${go}`, { headers: keyed(`bulk-${go}`) }),
      { calls: 15, depth: 11 },
    ],
    ['a bulk that changes 100', (go) => bulk(100, go + 1, 'more-0'), { calls: 12, depth: 9 }],
    // One of them asks for the log's end, and one for what stands before it.
    ['a bulk that changes none of 100', unchangedBulk, { calls: 12, depth: 9 }],
  ];

  it.each(REQUESTS)(
    '%s: no more calls, and no more one after another, than it needs',
    async (_, ask, most) => {
      const { calls, depth, names: told } = await counted.costOf(ask, most);
      const summary = `${calls} calls, ${depth} one after another`;
      process.stdout.write(`${summary}\n`);
      const isWithin = calls <= most.calls && depth <= most.depth;
      expect(isWithin ? '' : [summary, ...told].join('\n')).toBe('');
    },
  );
});
