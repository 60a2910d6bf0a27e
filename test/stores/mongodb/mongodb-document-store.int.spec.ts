import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type CommandStartedEvent, type Document, MongoClient } from 'mongodb';
import { encodeCursor } from '#kernel/cursor.js';
import type { CollectionDeclaration, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { IndexDiffersError } from '#stores/mongodb/mongodb-errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { expectRejection, uniqueName } from '../../eventsourcing/contract/contract-case.js';
import { ManualClock } from '../../support/manual-clock.js';
import { freePort } from '../../support/free-port.js';
import {
  describeWithMongo,
  mongoServer,
  testDatabase,
  type MongoServer,
  type TestDatabase,
} from '../../support/mongo-server.js';
import { numbered } from '../../eventsourcing/contract/document-store.samples.js';

interface Sample {
  readonly _id: string;
  readonly [field: string]: unknown;
}

const indexes = {
  by_name: { fields: ['company_id', 'name'] },
  by_email: { fields: ['company_id', 'email'], unique: true },
};
const written = { kind: 'written' };

function withOption(url: string, option: string): string {
  if (url.includes('?')) return `${url}&${option}`;
  return /^[^/]+\/\/[^/]+$/.test(url) ? `${url}/?${option}` : `${url}?${option}`;
}

describeWithMongo('MongoDB adapter', () => {
  const clock = new ManualClock();
  let server: MongoServer;
  let database: TestDatabase;
  /** The driver alone, to see what the adapter left in the database. */
  let bare: MongoClient;
  let connection: MongoDbConnection;
  let store: MongoDbDocumentStore;
  let commands: CommandStartedEvent[];

  beforeAll(async () => {
    server = await mongoServer();
    database = testDatabase(server);
    bare = await new MongoClient(server.url).connect();
    connection = await MongoDbConnection.open(withOption(server.url, 'monitorCommands=true'));
    connection.client.on('commandStarted', (event) => commands.push(event));
    store = new MongoDbDocumentStore(connection, { clock, database: database.name, prefix: 'records.' });
  });

  beforeEach(() => {
    commands = [];
  });

  afterAll(async () => {
    await store.close();
    await bare.close();
    await database.remove();
    await server.stop();
  });

  function declaration(fields: Partial<CollectionDeclaration<Sample>> = {}): CollectionDeclaration<Sample> {
    return { name: uniqueName('samples'), indexes, expiry: 'expires_at', ...fields };
  }

  function put(collection: string, document: Sample): DocumentWrite {
    return { kind: 'put', collection, document };
  }

  function raw(name: string) {
    return bare.db(database.name).collection<Sample>(`records.${name}`);
  }

  test('many first writes are one command, many refused ones two (choice 2)', async () => {
    const { name } = await openSamples();
    const writes = numbered(500, (number): DocumentWrite => ({
      kind: 'put_if_newer',
      collection: name,
      document: { _id: `id-${number}`, revision: 1 },
    }));
    commands = [];
    expect(await store.write(writes)).toEqual(numbered(500, () => written));
    expect(commands.map(({ commandName }) => commandName)).toEqual(['update']);
    commands = [];
    expect(await store.write(writes)).toEqual(numbered(500, () => ({ kind: 'not_newer' })));
    expect(commands.map(({ commandName }) => commandName)).toEqual(['update', 'find']);
  });

  test('a compare-and-set is one guarded replace, never a read before it (choice 3)', async () => {
    const { name } = await openSamples();
    const document = { _id: 'a', version: 1 };
    await store.write([{ kind: 'compare_and_set', collection: name, expected: null, document }]);
    commands = [];
    await store.write([
      { kind: 'compare_and_set', collection: name, expected: 1, document: { ...document, version: 2 } },
    ]);
    expect(commands.map(({ commandName }) => commandName)).toEqual(['update']);
    expect(commands[0]!.command.updates[0].q).toMatchObject({ _id: 'a', version: 1 });
  });

  describe('calls at the same time', () => {
    const names = () => commands.map(({ commandName }) => commandName);
    const idOf = (number: number) => `id-${number}`;

    test('reads by id, and by the leading field of an index, join, though each caller opens the collection', async () => {
      const { name } = await openSamples();
      const opened = () => store.collection<Sample>(declaration({ name }));
      const documents = numbered(8, (number) => ({ _id: idOf(number), company_id: idOf(number), n: number }));
      await store.write(documents.map((document) => put(name, document)));
      commands = [];
      const read = await Promise.all(documents.map(async ({ _id }) => (await opened()).get(_id)));
      expect(read).toEqual(documents);
      const found = await Promise.all(
        documents.map(async ({ company_id }) => (await opened()).findAny('by_name', [company_id])),
      );
      expect(found).toEqual(documents.map((document) => [document]));
      expect(names()).toEqual(['find', 'find', 'find', 'find']);
    });

    test('linearizable reads by one id do not join', async () => {
      const linearizable = jest
        .spyOn(MongoDbConnection.prototype, 'isLinearizable', 'get')
        .mockReturnValue(true);
      try {
        const { collection } = await openSamples();
        commands = [];
        await Promise.all([collection.get('a'), collection.get('a'), collection.get('b')]);
        expect(names()).toEqual(['find', 'find', 'find']);
      } finally {
        linearizable.mockRestore();
      }
    });

    const versioned = (name: string, expected: number | null): DocumentWrite[] =>
      numbered(6, (number) => ({
        kind: 'compare_and_set',
        collection: name,
        expected,
        document: { _id: idOf(number), version: (expected ?? 0) + 1 },
      }));

    test('writes join, but compare-and-sets of records go alone', async () => {
      const { name } = await openSamples();
      const all = (writes: readonly DocumentWrite[]) =>
        Promise.all(writes.map((write) => store.write([write])));
      commands = [];
      expect(await all(numbered(6, (number) => put(name, { _id: idOf(number), version: 1 })))).toEqual(
        numbered(6, () => [written]),
      );
      expect(names()).toEqual(['update', 'update']);
      commands = [];
      expect(await all(versioned(name, 1))).toEqual(numbered(6, () => [written]));
      expect(names()).toEqual(numbered(6, () => 'update'));
    });

    test('large documents go alone, because the driver encodes a bulk at once', async () => {
      const { name } = await openSamples();
      const text = 'x'.repeat(70_000);
      commands = [];
      await Promise.all(numbered(3, (number) => store.write([put(name, { _id: idOf(number), text })])));
      expect(names()).toEqual(numbered(3, () => 'update'));
    });

    test('compare-and-sets of views join, and each has its own outcome', async () => {
      const views = new MongoDbDocumentStore(connection, {
        clock,
        database: database.name,
        prefix: 'records.',
        joinsReplacements: true,
      });
      const { name } = await openSamples();
      await views.collection<Sample>(declaration({ name }));
      const all = (writes: readonly DocumentWrite[]) =>
        Promise.all(writes.map((write) => views.write([write])));
      commands = [];
      await all(versioned(name, null));
      expect(names()).toEqual(['insert', 'insert']);
      await views.write([put(name, { _id: idOf(3), version: 9 })]);
      commands = [];
      const outcomes = await all(versioned(name, 1));
      expect(outcomes[3]).toEqual([{ kind: 'version_conflict' }]);
      expect(outcomes.filter(([outcome]) => outcome?.kind === 'written')).toHaveLength(5);
      expect(names()).toEqual(['update', 'update', 'find']);
      await views.close();
    });

    test('counts of one name are summed', async () => {
      const name = uniqueName('count');
      await store.count(name, 0, 60_000);
      commands = [];
      const counted = await Promise.all(numbered(20, () => store.count(name, 1, 60_000)));
      expect(counted.map(({ count }) => count)).toEqual(numbered(20, (number) => number + 1));
      expect(names()).toEqual(['findAndModify', 'findAndModify']);
    });

    test('one document that is too large fails nobody else', async () => {
      const { name, collection } = await openSamples();
      const large = { _id: 'large', text: 'x'.repeat(17_000_000) };
      const ends = await Promise.allSettled([
        store.write([put(name, { _id: 'a' })]),
        store.write([put(name, { _id: 'b' })]),
        store.write([put(name, { _id: 'c' }), put(name, large)]),
        store.write([put(name, { _id: 'd' })]),
      ]);
      expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
      expect(ends[2]).toMatchObject({ reason: { code: 'store_unavailable', outcomeUnknown: false } });
      expect((await collection.getMany(['a', 'b', 'd'])).map((document) => document?._id)).toEqual([
        'a',
        'b',
        'd',
      ]);
    });

    test('the collections of one call are written one after the other', async () => {
      const [first, second] = [await openSamples(), await openSamples()];
      commands = [];
      const succeeded: string[] = [];
      const began = ({ commandName }: { commandName: string }) => succeeded.push(commandName);
      const note = ({ commandName }: { commandName: string }) => succeeded.push(`${commandName} answered`);
      connection.client.on('commandStarted', began).on('commandSucceeded', note);
      await store.write([put(first.name, { _id: 'a' }), put(second.name, { _id: 'a' })]);
      connection.client.off('commandStarted', began).off('commandSucceeded', note);
      expect(succeeded).toEqual(['update', 'update answered', 'update', 'update answered']);
    });
  });

  test('only what every server has is sent (choices 4, 6 and 12)', async () => {
    const { name, collection } = await openSamples();
    await store.write([
      put(name, { _id: 'a', company_id: 'c', name: 'n', email: 'e' }),
      { kind: 'insert', collection: name, document: { _id: 'b' } },
      { kind: 'put_if_newer', collection: name, document: { _id: 'c', revision: 1 } },
      { kind: 'delete', collection: name, id: 'd' },
    ]);
    await collection.find('by_name', { equals: ['c'], from: 'm', limit: 10 });
    await collection.findAny('by_email', ['c']);
    const lease = await store.takeLease(uniqueName('lease'), 'me', 1_000);
    await store.takeLease(lease!.name, 'me', 1_000);
    await store.renewLease(lease!);
    await store.releaseLease(lease!);
    await store.ping();
    const names = new Set(commands.map(({ commandName }) => commandName));
    const plain = ['createIndexes', 'delete', 'find', 'findAndModify', 'insert', 'listIndexes'];
    expect([...names].sort()).toEqual([...plain, 'ping', 'update']);
    for (const { command } of commands) expectPlain(command);
  });

  function expectPlain(command: Document): void {
    const options = new Set<string>();
    for (const index of command['indexes'] ?? []) {
      Object.keys(index as object).forEach((option) => options.add(option));
    }
    expect(['key', 'name', 'unique', 'expireAfterSeconds']).toEqual(expect.arrayContaining([...options]));
    for (const { q, u, upsert } of command['updates'] ?? []) {
      expect(Array.isArray(u)).toBe(false);
      expect(upsert === true && JSON.stringify(q).includes('$expr')).toBe(false);
    }
    const forbidden = ['hint', 'collation', 'startTransaction', 'autocommit'];
    expect(forbidden.filter((option) => option in command)).toEqual([]);
    expect(command['upsert'] ?? false).toBe(false);
  }

  test('expiry is a Date under a TTL index, and checked at every read (choice 5)', async () => {
    const { name, collection } = await openSamples();
    await store.write([put(name, { _id: 'a', expires_at: clock.now() + 1_000 }), put(name, { _id: 'b' })]);
    expect(await raw(name).findOne({ _id: 'a' })).toMatchObject({
      __expires: new Date(clock.now() + 1_000),
    });
    expect(await raw(name).findOne({ _id: 'b' })).not.toHaveProperty('__expires');
    const ttl = (await raw(name).listIndexes().toArray()).filter((index) => 'expireAfterSeconds' in index);
    expect(ttl.map(({ key }) => key as unknown)).toEqual([{ __expires: 1 }]);
    expect(await collection.get('a')).toEqual({ _id: 'a', expires_at: clock.now() + 1_000 });
    clock.advance(1_000);
    expect(await collection.get('a')).toBeUndefined();
  });

  test('an expiry beyond every Date never comes', async () => {
    const { name, collection } = await openSamples();
    await store.write([put(name, { _id: 'a', expires_at: Number.MAX_SAFE_INTEGER })]);
    expect(await collection.get('a')).toBeDefined();
    expect(await raw(name).findOne({ _id: 'a' })).toMatchObject({ __expires: new Date(8.64e15) });
  });

  test('leases run by the server’s clock, not by that of the process (choice 6)', async () => {
    const lease = await store.takeLease(uniqueName('lease'), 'one', 60_000);
    clock.advance(3_600_000);
    expect(await store.takeLease(lease!.name, 'two', 60_000)).toBeUndefined();
    commands = [];
    const taken = await store.takeLease(lease!.name, 'two', 0);
    expect(taken).toEqual({ name: lease!.name, owner: 'two', fence: lease!.fence + 1 });
    expect(JSON.stringify(commands.map(({ command }) => command as unknown))).toContain('$$NOW');
    expect(await store.renewLease(lease!)).toBe(false);
  });

  test('a lease outlives the store that took it', async () => {
    const options = { clock, database: database.name, prefix: 'records.' };
    const other = new MongoDbDocumentStore(await MongoDbConnection.open(server.url), options);
    const lease = await other.takeLease(uniqueName('lease'), 'one', 60_000);
    await other.close();
    expect(await store.takeLease(lease!.name, 'two', 60_000)).toBeUndefined();
    expect(await store.renewLease(lease!)).toBe(true);
  });

  test('no cursor continues another find (choice 7)', async () => {
    const { name, collection } = await openSamples();
    await store.write(
      numbered(4, (number) => put(name, { _id: `${number}`, company_id: 'c', name: number })),
    );
    const page = await collection.find('by_name', { equals: ['c'], limit: 2 });
    const next = { cursor: page.next_cursor!, limit: 2 };
    const rest = await collection.find('by_name', { equals: ['c'], ...next });
    expect(rest.documents.map(({ _id }) => _id)).toEqual(['2', '3']);
    for (const options of [{ equals: ['d'] }, { equals: ['c'], descending: true }, { equals: [] }]) {
      await expect(collection.find('by_name', { ...options, ...next })).rejects.toThrow('cursor');
    }
    for (const place of [null, 5, {}, { values: [{ $ne: 0 }], id: '0' }, { values: [], id: {} }]) {
      const cursor = encodeCursor(place, [name, 'by_name', ['c'], false, []]);
      await expect(collection.find('by_name', { equals: ['c'], cursor, limit: 2 })).rejects.toThrow('cursor');
    }
  });

  test('pages walk through null, numbers, strings and arrays, each document once', async () => {
    const { name, collection } = await openSamples({ indexes: { by_rank: { fields: ['rank'] } } });
    const ranks = [null, null, -1, 2, 2, [3, 9], 4, 'a', 'b', 'b', undefined];
    await store.write(ranks.map((rank, number) => put(name, { _id: `${number}`, rank })));
    for (const descending of [false, true]) {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const options = { equals: [], descending, limit: 2, ...(cursor === undefined ? {} : { cursor }) };
        const page = await collection.find('by_rank', options);
        ids.push(...page.documents.map(({ _id }) => _id));
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      const ascending = ['0', '1', '10', '2', '3', '4', '5', '6', '7', '8', '9'];
      // Descending an array stands where its greatest element does.
      const reversed = ['9', '8', '7', '5', '6', '4', '3', '2', '10', '1', '0'];
      expect(ids).toEqual(descending ? reversed : ascending);
    }
  });

  test('keys are plain values, and field names plain names (choices 4 and 8)', async () => {
    const { name } = await openSamples();
    const unsound: unknown[] = [
      { _id: { a: 1 } },
      { _id: '' },
      { _id: 'x'.repeat(1_201) },
      { _id: 'a', company_id: { a: 1 } },
      { _id: 'a', company_id: ['x'], name: ['y'] },
      { _id: 'a', $set: 1 },
      { _id: 'a', nested: [{ 'a.b': 1 }] },
      { _id: 'a', __writer: 'me' },
    ];
    commands = [];
    for (const document of unsound) {
      await expect(store.write([put(name, document as Sample)])).rejects.toBeInstanceOf(TypeError);
    }
    expect(commands).toEqual([]);
  });

  test('undefined is not stored, and what is too large is refused (choice 9)', async () => {
    const { name, collection } = await openSamples();
    await store.write([put(name, { _id: 'a', none: undefined, nested: { none: undefined } })]);
    expect(await collection.get('a')).toStrictEqual({ _id: 'a', nested: {} });
    const large = store.write([put(name, { _id: 'b', text: 'x'.repeat(17_000_000) })]);
    await expectRejection(large, (error) => error instanceof StoreUnavailableError && !error.outcomeUnknown);
  });

  test('every write is acknowledged by a journalled majority, and read from it (choice 10)', async () => {
    const { name, collection } = await openSamples();
    commands = [];
    await store.write([put(name, { _id: 'a' })]);
    await collection.get('a');
    expect(commands.map(({ command }) => command as unknown)).toMatchObject([
      { writeConcern: { w: 'majority', j: true } },
      { readConcern: { level: 'majority' } },
    ]);
    expect(connection.client.options).toMatchObject({ retryWrites: true, appName: 'storage-access-service' });
    expect(connection.client.readPreference.mode).toBe('primary');
  });

  test.each(['w=1', 'w=0', 'journal=false', 'readPreference=secondary', 'readConcernLevel=local'])(
    'an address that asks for %s is refused (choice 10)',
    async (option) => {
      const opening = MongoDbConnection.open(`mongodb://127.0.0.1:1/?${option}`);
      await expect(opening).rejects.toThrow(option);
    },
  );

  test('an address that is none is refused without quoting it', async () => {
    const opening = MongoDbConnection.open('mongo://user:secret@host');
    await expect(opening).rejects.toMatchObject({ code: 'mongodb_address' });
    await expect(opening).rejects.not.toThrow('secret');
  });

  test('a collection declared again changes nothing; another index of the name is told (choice 11)', async () => {
    const { name } = await openSamples();
    commands = [];
    await store.collection(declaration({ name }));
    expect(commands).toEqual([]);
    const changed = { ...indexes, by_name: { fields: ['name'] } };
    const opening = store.collection(declaration({ name, indexes: changed }));
    await expectRejection(opening, (error) => error instanceof IndexDiffersError);
    await expect(opening).rejects.toThrow(`Index by_name of collection records.${name} differs`);
  });

  test('every index begins with the field that its declaration begins with (choice 13)', async () => {
    const { name } = await openSamples();
    const keys = (await raw(name).listIndexes().toArray()).map(({ key }) => Object.keys(key as object));
    const declared = keys.filter(([first]) => first !== '_id' && first !== '__expires');
    expect(declared).toEqual([
      ['company_id', 'name', '_id'],
      ['company_id', 'email', '__open_by_email'],
    ]);
  });

  test('a unique index that is declared later leaves documents with null in it alone', async () => {
    const { name } = await openSamples({ indexes: {} });
    await store.write(numbered(5, (number) => put(name, { _id: `${number}`, company_id: 'c' })));
    await store.write([put(name, { _id: 'x', company_id: 'c', email: 'e' })]);
    const collection = await store.collection<Sample>(declaration({ name }));
    const found = await collection.find('by_email', { equals: ['c'], limit: 10 });
    expect(found.documents.map(({ _id }) => _id)).toEqual(['x']);
    const again = put(name, { _id: 'y', company_id: 'c', email: 'e' });
    expect(await store.write([again, put(name, { _id: 'z', company_id: 'c' })])).toEqual([
      { kind: 'duplicate', index: 'by_email' },
      written,
    ]);
  });

  test('two stores upon one connection and database are apart, and one outlives the other', async () => {
    const { name, collection } = await openSamples();
    await store.write([put(name, { _id: 'a' })]);
    const views = new MongoDbDocumentStore(connection, { clock, database: database.name, prefix: 'views.' });
    const other = await views.collection<Sample>(declaration({ name }));
    expect(await other.get('a')).toBeUndefined();
    await views.close();
    expect(await collection.get('a')).toEqual({ _id: 'a' });
    await expectRejection(other.get('a'), (error) => error instanceof StoreUnavailableError);
  });

  async function openSamples(fields: Partial<CollectionDeclaration<Sample>> = {}) {
    const declared = declaration(fields);
    return { name: declared.name, collection: await store.collection<Sample>(declared) };
  }
});

/** Milliseconds that the driver itself would wait. */
const DRIVERS_OWN = 30_000;

describe('a MongoDB that does not answer', () => {
  test('is a StoreUnavailableError before the driver gives up where nothing listens', async () => {
    const port = await freePort();
    const milliseconds = await failing(`mongodb://127.0.0.1:${port}`);
    expect(milliseconds).toBeLessThan(DRIVERS_OWN);
  });

  test('is a StoreUnavailableError before the driver gives up where a server accepts and keeps silent', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const milliseconds = await failing(`mongodb://127.0.0.1:${port}`);
    silent.close();
    expect(milliseconds).toBeLessThan(DRIVERS_OWN);
  });

  async function failing(url: string): Promise<number> {
    const started = performance.now();
    await expectRejection(
      MongoDbConnection.open(url, { clock: new ManualClock() }),
      (error) => error instanceof StoreUnavailableError && !error.outcomeUnknown,
    );
    return performance.now() - started;
  }
});
