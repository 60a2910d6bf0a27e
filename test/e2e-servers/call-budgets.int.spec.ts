import { randomUUID } from 'node:crypto';
import { DEFAULT_STREAM_PREFIX } from '../../src/config/environment.js';
import { systemClock } from '../../src/config/clock.js';
import { MongoDbConnection } from '../../src/documents/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '../../src/documents/mongodb/mongodb-document-store.js';
import { mongoDbRateLimiters } from '../../src/http/index.js';
import { EventStoreDbEventStore } from '../../src/log/eventstoredb/index.js';
import { EventStoreDbDouble } from '../support/eventstoredb-double/index.js';
import { describeWithMongo, mongoServer, type MongoServer } from '../support/mongo-server.js';
import { ownStreams } from '../support/own-streams.js';
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

  beforeAll(async () => {
    mongo = await mongoServer();
    double = await EventStoreDbDouble.start();
    service = await Service.start({
      clock: systemClock,
      stores: { open: openStores, dropViews: () => Promise.resolve() },
    });
    company = await service.company();
  });
  afterAll(async () => {
    await service.close();
    await double.close();
    await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  async function openStores() {
    const url = new URL(mongo.url);
    url.searchParams.set('monitorCommands', 'true');
    const connection = await MongoDbConnection.open(
      `${url.origin === 'null' ? mongo.url + '/?monitorCommands=true' : url.href}`,
      { patience: 25_000 },
    );
    counted.watchMongo(connection.client);
    const log = new EventStoreDbEventStore({ url: double.url(), streamPrefix: DEFAULT_STREAM_PREFIX });
    const at = (prefix: string) =>
      new MongoDbDocumentStore(connection, { clock: systemClock, database, prefix });
    return {
      eventStore: counted.watchLog(ownStreams(log)),
      records: at('records_'),
      views: at('views_'),
      rateLimiters: mongoDbRateLimiters({
        client: connection.client,
        database,
        patience: () => connection.patience(),
      }),
      idempotency: { singleProcess: false, commitsInOrder: false },
    };
  }

  let unit = 0;
  const fresh = () => `U-${(unit += 1)}`;
  const bulk = (size: number, balance_due: number, first: number) =>
    Array.from({ length: size }, (_, number) => ({
      crm_unit_id: `B-${first}-${number}`,
      occupied: true,
      move_in_date: '2025-12-01',
      pms_tenant_id: `b-${first}-${number}`,
      balance_due,
      pms_location_code: 'MAIN',
    }));

  it('measures', async () => {
    const lines: string[] = [];
    const tell = (name: string, cost: Cost) =>
      lines.push(`${name}: ${cost.calls} calls, depth ${cost.depth}\n    ${cost.names.join('\n    ')}`);
    const known = fresh();
    demand(201, await company.moveIn(known, { pms_tenant_id: 'known' }));
    tell(
      'new move-in',
      await counted.costOf(() => {
        const u = fresh();
        return company.moveIn(u, { pms_tenant_id: u, pms_location_code: 'MAIN' });
      }),
    );
    tell(
      'keyed',
      await counted.costOf(() => {
        const u = fresh();
        return company.push(
          'put',
          `/units/${u}/tenancy`,
          { pms_tenant_id: u, move_in_date: '2025-12-01', pms_location_code: 'MAIN' },
          { 'Idempotency-Key': u },
        );
      }),
    );
    tell('patch', await counted.costOf((go) => company.patch(known, { balance_due: go + 1 })));
    tell('unchanged', await counted.costOf(() => company.patch(known, { balance_due: 6 })));
    tell('get', await counted.costOf(() => company.unit(known)));
    tell('bulk new 20', await counted.costOf((go) => company.sync(bulk(20, 0, go))));
    tell('bulk changed 20', await counted.costOf((go) => company.sync(bulk(20, go + 1, 0))));
    tell('bulk unchanged 20', await counted.costOf(() => company.sync(bulk(20, 6, 0))));
    process.stdout.write(lines.join('\n') + '\n');
  });
});
