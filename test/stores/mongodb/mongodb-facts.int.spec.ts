import { randomUUID } from 'node:crypto';
import {
  type Collection,
  type Db,
  MongoBulkWriteError,
  MongoClient,
  MongoServerError,
  type WriteError,
} from 'mongodb';
import {
  describeWithMongo,
  type MongoServer,
  mongoServer,
  type TestDatabase,
  testDatabase,
} from '../../support/mongo-server.js';
import { numbered } from '../../eventsourcing/contract/document-store.samples.js';

interface Sample {
  readonly _id: string;
  readonly [field: string]: unknown;
}

const MANY = 500;
const DUPLICATE = 11_000;

/** What the server says no with; undefined where it does not. */
async function refusal(call: Promise<unknown>): Promise<MongoServerError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof MongoServerError) return error;
    throw error;
  }
}

async function bulkErrors(call: Promise<unknown>): Promise<readonly WriteError[]> {
  const error = await refusal(call);
  if (!(error instanceof MongoBulkWriteError)) throw new Error('The bulk was not refused.');
  return [error.writeErrors].flat();
}

/**
 * Questions to a MongoDB through its driver, each with what MongoDB answers: what the adapter leans on, and what holds the
 * stand-in to it. The stand-in (mongo-java-server 1.47.0) is known to differ in these, which each test names where it asks:
 *
 * - it takes `$expr` in the filter of an upsert, which MongoDB refuses;
 * - it sorts strings by UTF-16 unit, where MongoDB sorts them by UTF-8 byte;
 * - it refuses updates that are pipelines, transactions and change streams, and has no sessions, so that no write is
 *   retried;
 * - its duplicate keys do not say which key (`keyPattern`); the message names the index, as MongoDB's does as well;
 * - it takes another index of the same name, and can then not remove the database, so it is not asked;
 * - it counts the refused documents of an unordered `insertMany` as inserted.
 *
 * Not asked: expired documents are never removed by it; it serves upserts of one document one after the other, so that the
 * race of two first ones is played by a double of the collection (bulk-writer.spec.ts); a kill takes up to a second of
 * what it acknowledged.
 */
describeWithMongo('what MongoDB answers', () => {
  let server: MongoServer;
  let place: TestDatabase;
  let client: MongoClient;
  let database: Db;
  let samples: Collection<Sample>;

  beforeAll(async () => {
    server = await mongoServer();
    place = testDatabase(server);
    client = await new MongoClient(server.url, { ignoreUndefined: true }).connect();
    database = client.db(place.name);
  });
  afterAll(async () => {
    await client.close();
    await place.remove().finally(() => server.stop());
  });
  beforeEach(() => void (samples = database.collection<Sample>(`samples_${randomUUID().slice(0, 8)}`)));

  const put = (_id: string, revision: number, upsert = true) =>
    samples.replaceOne({ _id, revision: { $lt: revision } }, { revision }, { upsert });

  describe('to guarded writes', () => {
    test('an upsert that an older document lets through replaces it, and one that a newer one stops is a duplicate of its _id', async () => {
      expect(await put('a', 2)).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
      expect(await put('a', 3)).toMatchObject({ matchedCount: 1, upsertedCount: 0 });
      const stopped = await refusal(put('a', 3));
      expect(stopped?.code).toBe(DUPLICATE);
      expect(stopped?.message).toMatch(/index: .*_id_|Index '_id_'/);
      expect(await put('a', 3, false)).toMatchObject({ matchedCount: 0 });
      expect(await put('a', 4, false)).toMatchObject({ matchedCount: 1 });
      expect(await samples.findOne({ _id: 'a' })).toEqual({ _id: 'a', revision: 4 });
    });

    test('of twenty upserts of one document at once the newest stands once those that met another were sent again', async () => {
      const sent = await Promise.all(numbered(20, (number) => refusal(put('a', number + 1)).then(Boolean)));
      await Promise.all(sent.flatMap((refused, number) => (refused ? [put('a', number + 1, false)] : [])));
      expect(await samples.find().toArray()).toEqual([{ _id: 'a', revision: 20 }]);
    });

    test('a duplicate of another key names that one', async () => {
      await samples.createIndex({ email: 1 }, { name: 'by_email', unique: true });
      await samples.insertOne({ _id: 'a', email: 'x' });
      const error = await refusal(samples.insertOne({ _id: 'b', email: 'x' }));
      expect(error?.code).toBe(DUPLICATE);
      expect(error?.message).toContain('by_email');
      expect(error?.message).not.toContain('_id_');
      expect(error?.['keyPattern']).toEqual(server.isStandIn ? undefined : { email: 1 });
    });

    test('a compare-and-set tells by what it matched, and a creation by a duplicate', async () => {
      const create = () => refusal(samples.insertOne({ _id: 'a', version: 1 }));
      expect([await create(), (await create())?.code]).toEqual([undefined, DUPLICATE]);
      const set = async (version: number) => {
        const next = { version: version + 1 } as never;
        return (await samples.replaceOne({ _id: 'a', version }, next)).matchedCount;
      };
      expect([await set(1), await set(1), await set(2)]).toEqual([1, 0, 1]);
    });
  });

  describe('to many writes at once', () => {
    test('an unordered bulk does all that it can, and tells of each that it could not by its place', async () => {
      await samples.insertMany(numbered(MANY, (number) => ({ _id: `s-${2 * number}` })));
      const inserts = numbered(2 * MANY, (number) => ({ insertOne: { document: { _id: `s-${number}` } } }));
      const errors = await bulkErrors(samples.bulkWrite(inserts, { ordered: false }));
      expect(errors.map(({ index }) => index)).toEqual(numbered(MANY, (number) => 2 * number));
      expect(new Set(errors.map(({ code }) => code))).toEqual(new Set([DUPLICATE]));
      expect(await samples.countDocuments()).toBe(2 * MANY);
    });

    test('one of which everything is refused tells of everything', async () => {
      const documents = numbered(MANY, (number) => ({ _id: `s-${number}` }));
      await samples.insertMany(documents);
      const inserts = documents.map((document) => ({ insertOne: { document } }));
      expect(await bulkErrors(samples.bulkWrite(inserts, { ordered: false }))).toHaveLength(MANY);
    });

    test('an insertMany that is refused in part counts what it inserted', async () => {
      await samples.insertOne({ _id: 'a' });
      const error = await refusal(samples.insertMany([{ _id: 'a' }, { _id: 'b' }], { ordered: false }));
      const { insertedCount } = (error as MongoBulkWriteError).result;
      expect(insertedCount).toBe(server.isStandIn ? 2 : 1);
      expect(await samples.countDocuments()).toBe(2);
    });

    test('five hundred are found by their ids in one question', async () => {
      await samples.insertMany(numbered(MANY, (number) => ({ _id: `s-${number}`, number })));
      const wanted = numbered(MANY, (number) => `s-${number * 2}`);
      expect(await samples.find({ _id: { $in: wanted } }).toArray()).toHaveLength(MANY / 2);
    });
  });

  describe('to questions', () => {
    test('pages by a key and the _id after it walk through all, each once', async () => {
      await samples.createIndex({ name: 1, _id: 1 }, { name: 'by_name' });
      await samples.insertMany(numbered(50, (number) => ({ _id: `s-${number}`, name: `n-${number % 3}` })));
      const seen: string[] = [];
      let after: Sample | undefined;
      do {
        const beyond = after && {
          $or: [{ name: { $gt: after['name'] } }, { name: after['name'], _id: { $gt: after._id } }],
        };
        const page = await samples
          .find((beyond ?? {}) as never)
          .sort({ name: 1, _id: 1 })
          .limit(7)
          .toArray();
        seen.push(...page.map(({ _id }) => _id));
        after = page.at(-1);
      } while (after !== undefined);
      expect([seen.length, new Set(seen).size]).toEqual([50, 50]);
    });

    test('strings are in the order of their UTF-8 bytes', async () => {
      const ids = ['a', 'Z', '\u00e9', '\uffee', '\u{1f600}', 'aa', ''];
      await samples.insertMany(ids.map((_id) => ({ _id })));
      const found = (await samples.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
      const byBytes = [...ids].sort((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)));
      const byUnits = [...ids].sort();
      expect(byUnits).not.toEqual(byBytes);
      expect(found).toEqual(server.isStandIn ? byUnits : byBytes);
    });

    test('null finds what has no such field, and undefined is not stored', async () => {
      await samples.insertMany([
        { _id: 'null', name: null },
        { _id: 'none', name: undefined },
        { _id: 'a', name: 'a' },
      ]);
      const found = await samples.find({ name: null }).sort({ _id: 1 }).toArray();
      expect(found).toEqual([{ _id: 'none' }, { _id: 'null', name: null }]);
    });

    test('objects are compared by the order of their fields', async () => {
      await samples.insertOne({ _id: 'a', place: { x: 1, y: 2 } });
      const count = (place: object) => samples.countDocuments({ place });
      expect([await count({ x: 1, y: 2 }), await count({ y: 2, x: 1 })]).toEqual([1, 0]);
    });
  });

  describe('to the server’s own time', () => {
    const take = (owner: string, milliseconds: number, upsert = false) =>
      samples.findOneAndUpdate(
        {
          _id: 'lease',
          $expr: { $lt: ['$renewed_at', { $subtract: ['$$NOW', milliseconds] }] },
        },
        { $set: { owner }, $inc: { fence: 1 }, $currentDate: { renewed_at: true } } as never,
        { upsert, returnDocument: 'after' },
      );
    const create = () =>
      samples.updateOne(
        { _id: 'lease' },
        { $set: { owner: 'first', fence: 1 }, $currentDate: { renewed_at: true } } as never,
        { upsert: true },
      );

    test('a lease is taken once it is older than it may be, and not before', async () => {
      await create();
      expect(await take('second', 60_000)).toBeNull();
      expect(await take('second', -60_000)).toMatchObject({ owner: 'second', fence: 2 });
      const { renewed_at } = (await samples.findOne({ _id: 'lease' }))!;
      expect(renewed_at).toBeInstanceOf(Date);
    });

    test('of twenty takers at once one gets it', async () => {
      await create();
      await samples.updateOne({ _id: 'lease' }, { $set: { renewed_at: new Date(0) } });
      const taken = await Promise.all(numbered(20, (number) => take(`taker-${number}`, 60_000)));
      expect(taken.filter((lease) => lease !== null)).toHaveLength(1);
    });

    test('it is no part of an upsert', async () => {
      const error = await refusal(take('first', 0, true));
      expect(error?.code).toBe(server.isStandIn ? undefined : 224);
    });
  });

  describe('to indexes and collections', () => {
    test('the same index again is there already, another one of its name is refused', async () => {
      const make = (fields: Record<string, 1>, options: object = {}) =>
        refusal(samples.createIndex(fields, { name: 'by_name', ...options }));
      expect([await make({ name: 1 }), await make({ name: 1 })]).toEqual([undefined, undefined]);
      if (server.isStandIn) return;
      expect([85, 86]).toContain((await make({ other: 1 }))?.code);
      expect([85, 86]).toContain((await make({ name: 1 }, { unique: true }))?.code);
    });

    test('an index on an expiry is taken, and told with its delay', async () => {
      await samples.createIndex({ at: 1 }, { name: 'at', expireAfterSeconds: 3_600 });
      const found = (await samples.indexes()).find(({ name }) => name === 'at');
      expect(found).toMatchObject({ key: { at: 1 }, expireAfterSeconds: 3_600 });
    });

    test('a unique index is refused where what is stored is not', async () => {
      await samples.insertMany([
        { _id: 'a', email: 'x' },
        { _id: 'b', email: 'x' },
      ]);
      expect((await refusal(samples.createIndex({ email: 1 }, { unique: true })))?.code).toBe(DUPLICATE);
    });

    test('a collection that is dropped is gone with its indexes, and one that is not there is no fault', async () => {
      await samples.createIndex({ name: 1 }, { name: 'by_name' });
      await samples.insertOne({ _id: 'a' });
      await samples.drop();
      expect(await samples.countDocuments()).toBe(0);
      await samples.insertOne({ _id: 'a' });
      expect((await samples.indexes()).map(({ name }) => name)).toEqual(['_id_']);
      const missing = await refusal(database.collection('never_there').drop());
      expect([undefined, 26]).toContain(missing?.code);
    });

    test('a document of more than 16 MB is refused', async () => {
      const text = 'x'.repeat(17 * 1_048_576);
      await expect(samples.insertOne({ _id: 'large', text })).rejects.toThrow();
      expect(await samples.countDocuments()).toBe(0);
    });
  });

  describe('to what the adapter does without', () => {
    test('an update that is a pipeline', async () => {
      await samples.insertOne({ _id: 'a', n: 1 });
      const error = await refusal(samples.updateOne({ _id: 'a' }, [{ $set: { n: 2 } }]));
      expect(error === undefined).toBe(!server.isStandIn);
    });

    test('sessions, which retried writes and transactions need', async () => {
      const { logicalSessionTimeoutMinutes } = await database.admin().command({ isMaster: 1 });
      expect(typeof logicalSessionTimeoutMinutes).toBe(server.isStandIn ? 'undefined' : 'number');
    });

    test('a write concern of a journalled majority is taken by all', async () => {
      const options = { writeConcern: { w: 'majority', journal: true } } as const;
      expect(await samples.insertOne({ _id: 'a' }, options)).toMatchObject({ acknowledged: true });
    });
  });
});
