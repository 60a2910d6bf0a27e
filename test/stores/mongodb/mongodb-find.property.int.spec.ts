import fc from 'fast-check';
import type { Collection, FindOptions, IndexValue } from '#eventsourcing/documents/document-store.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { ManualClock } from '../../support/manual-clock.js';
import {
  describeWithMongo,
  mongoServer,
  testDatabase,
  type MongoServer,
  type TestDatabase,
} from '../../support/mongo-server.js';

interface Sample {
  readonly _id: string;
  readonly a: IndexValue;
  readonly b: IndexValue;
}

const fields = ['a', 'b'] as const;
// Few values, so that many are equal; plain letters, as the stand-in sorts others in its own way.
const value = fc.constantFrom<IndexValue>(null, -1.5, 0, 2, '', 'a', 'b');
const bound = fc.option(value, { nil: undefined });
const find = fc.record({
  equals: fc.array(value, { maxLength: 2 }),
  from: bound,
  to: bound,
  descending: fc.boolean(),
  limit: fc.integer({ min: 1, max: 5 }),
});

/** The order of the port: null, numbers, strings. */
function compare(left: IndexValue, right: IndexValue): number {
  const rank = (one: IndexValue): number => (one === null ? 0 : typeof one === 'number' ? 1 : 2);
  if (rank(left) !== rank(right)) return rank(left) - rank(right);
  return left === right ? 0 : left! < right! ? -1 : 1;
}

/** The expected result of a find: filter and sort all documents. */
function expected(samples: readonly Sample[], { equals, from, to, descending }: FindOptions): string[] {
  const bounded = fields[equals.length];
  const found = samples.filter((sample) => {
    if (!equals.every((wanted, position) => sample[fields[position]!] === wanted)) return false;
    if (bounded === undefined || (from === undefined && to === undefined)) return true;
    const own = sample[bounded];
    if (own === null) return false;
    return (from === undefined || compare(own, from) >= 0) && (to === undefined || compare(own, to) <= 0);
  });
  const order = (left: Sample, right: Sample): number =>
    compare(left.a, right.a) || compare(left.b, right.b) || compare(left._id, right._id);
  const ids = found.sort(order).map(({ _id }) => _id);
  return descending === true ? ids.reverse() : ids;
}

async function pages(collection: Collection<Sample>, options: FindOptions): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await collection.find('by_a_b', cursor === undefined ? options : { ...options, cursor });
    ids.push(...page.documents.map(({ _id }) => _id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

describeWithMongo('MongoDB finds', () => {
  let server: MongoServer;
  let database: TestDatabase;
  let store: MongoDbDocumentStore;

  beforeAll(async () => {
    server = await mongoServer();
    database = testDatabase(server);
    store = new MongoDbDocumentStore(await MongoDbConnection.open(server.url), {
      clock: new ManualClock(),
      database: database.name,
    });
  });

  afterAll(async () => {
    await store.close();
    await database.remove();
    await server.stop();
  });

  test('pages of any find join to what filtering and sorting all documents gives', async () => {
    const indexes = { by_a_b: { fields } };
    const collection = await store.collection<Sample>({ name: 'samples', indexes });
    const samples = fc
      .sample(fc.tuple(value, value), { numRuns: 80, seed: 7 })
      .map(([a, b], number) => ({ _id: `id-${number % 10}${number}`, a, b }));
    await store.write(samples.map((document) => ({ kind: 'put', collection: 'samples', document })));
    await fc.assert(
      fc.asyncProperty(find, async (options) => {
        const { from, to, ...rest } = options;
        const isFull = options.equals.length === fields.length;
        const bounds = {
          ...(from === undefined || isFull ? {} : { from }),
          ...(to === undefined || isFull ? {} : { to }),
        };
        const asked = { ...rest, ...bounds };
        expect(await pages(collection, asked)).toEqual(expected([...samples], asked));
      }),
      { numRuns: 200 },
    );
  });
});
