import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { describeContract, reopenable } from '../../eventsourcing/contract/contract-case.js';
import {
  documentStoreCases,
  type DocumentStoreFixture,
} from '../../eventsourcing/contract/document-store.contract.js';
import { ManualClock } from '../../support/manual-clock.js';
import {
  describeWithMongo,
  mongoServer,
  testDatabase,
  type MongoServer,
  type TestDatabase,
} from '../../support/mongo-server.js';

/** Leases are judged by the server's clock, which no test moves. */
const notForServers = ['renewing keeps a lease as time passes, without it the lease is free'];
/** The stand-in sorts by UTF-16 unit; MongoDB by UTF-8 byte. */
const notForTheStandIn = [
  'strings sort by their UTF-8 bytes, also beyond U+FFFF',
  'ties are in the order of _id, by UTF-8 bytes',
];

describeWithMongo('MongoDB document store', () => {
  let server: MongoServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await mongoServer();
    database = testDatabase(server);
  });

  afterAll(async () => {
    await database.remove();
    await server.stop();
  });

  const isStandIn = process.env['TEST_MONGODB_URL'] === undefined;
  const leftOut = isStandIn ? [...notForServers, ...notForTheStandIn] : notForServers;

  test('the cases left out are cases of the contract', () => {
    const names = documentStoreCases.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(leftOut));
  });

  describeContract(
    'document store contract: MongoDB',
    documentStoreCases.filter(({ name }) => !leftOut.includes(name)),
    makeFixture,
    ['durable', 'clock'],
  );

  async function makeFixture(): Promise<DocumentStoreFixture> {
    const clock = new ManualClock();
    const options = { clock, database: database.name, prefix: 'records.' };
    const open = async () => new MongoDbDocumentStore(await MongoDbConnection.open(server.url), options);
    const fixture = await reopenable(open);
    return Object.assign(fixture, { advance: clock.advance.bind(clock) });
  }
});
