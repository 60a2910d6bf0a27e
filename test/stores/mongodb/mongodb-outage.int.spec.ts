import { join } from 'node:path';
import type { Collection, DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { expectRejection } from '../../eventsourcing/contract/contract-case.js';
import { ManualClock } from '../../support/manual-clock.js';
import { freePort } from '../../support/free-port.js';
import { describeWithMongoStandIn, startStandIn, type MongoStandIn } from '../../support/mongo-server.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

interface Sample {
  readonly _id: string;
  readonly [field: string]: unknown;
}

const collection = 'samples';
const declaration = { name: collection, indexes: { by_n: { fields: ['n'] } } };
const count = 1_000;
/** Milliseconds that the driver itself would wait. */
const DRIVERS_OWN = 30_000;
const ids = Array.from({ length: count }, (_, number) => `id-${number}`);

describeWithMongoStandIn('a MongoDB that goes away', () => {
  let folder: TemporaryFolder;
  let server: MongoStandIn;
  let connection: MongoDbConnection;
  let store: MongoDbDocumentStore;
  const clock = new ManualClock();
  let samples: Collection<Sample>;
  let port: number;

  beforeEach(async () => {
    folder = await temporaryFolder();
    port = await freePort();
    server = await startStandIn(join(folder.path, 'data'), port);
    store = await openStore();
    samples = await store.collection<Sample>(declaration);
    await samples.get('a');
  });

  afterEach(async () => {
    await store.close();
    await server.stop();
    await folder.remove();
  });

  async function openStore(callTimeout?: number): Promise<MongoDbDocumentStore> {
    connection = await MongoDbConnection.open(server.url, { clock, callTimeout });
    return new MongoDbDocumentStore(connection, { clock });
  }

  async function restart(): Promise<void> {
    await server.stop();
    server = await startStandIn(join(folder.path, 'data'), port);
  }

  async function failureOf(call: Promise<unknown>): Promise<{ unknown: boolean; milliseconds: number }> {
    const started = performance.now();
    let unknown = false;
    await expectRejection(call, (error) => {
      if (!(error instanceof StoreUnavailableError)) return false;
      unknown = error.outcomeUnknown;
      return true;
    });
    return { unknown, milliseconds: performance.now() - started };
  }

  test('reads and writes fail before the driver gives up while it is away and heal when it is back', async () => {
    await store.write([{ kind: 'put', collection, document: { _id: 'a', n: 1 } as Sample }]);
    await server.stop();
    const failures = await Promise.all([
      failureOf(samples.get('a')),
      failureOf(samples.find('by_n', { equals: [1], limit: 1 })),
      failureOf(store.ping()),
      failureOf(store.takeLease('lease', 'me', 1_000)),
    ]);
    for (const { unknown, milliseconds } of failures) {
      expect(unknown).toBe(false);
      expect(milliseconds).toBeLessThan(DRIVERS_OWN);
    }
    const write = await failureOf(store.write([{ kind: 'put', collection, document: { _id: 'b' } }]));
    // The driver may have sent it before it found no server, and does not say.
    expect(write).toMatchObject({ unknown: true });
    expect(write.milliseconds).toBeLessThan(DRIVERS_OWN);
    server = await startStandIn(join(folder.path, 'data'), port);
    expect(await samples.get('a')).toEqual({ _id: 'a', n: 1 });
  });

  test('a server that stops answering is no hang, and heals', async () => {
    await store.write([{ kind: 'put', collection, document: { _id: 'a' } }]);
    await store.count('company', 1, 60_000);
    await server.freeze();
    const [read, write, count] = await Promise.all([
      failureOf(samples.get('a')),
      failureOf(store.write([{ kind: 'put', collection, document: { _id: 'b' } }])),
      failureOf(store.count('company', 1, 60_000)),
    ]);
    expect(connection.presence.awaySince()).toBe(clock.now());
    server.thaw();
    expect([read.unknown, write.unknown, count.unknown]).toEqual([false, true, true]);
    const longest = Math.max(read.milliseconds, write.milliseconds, count.milliseconds);
    expect(longest).toBeLessThan(DRIVERS_OWN);
    expect(await samples.get('a')).toEqual({ _id: 'a' });
    expect(connection.presence.awaySince()).toBeUndefined();
  });

  test('what the stand-in acknowledged stands after it was killed', async () => {
    await store.close();
    store = await openStore(60_000);
    samples = await store.collection<Sample>(declaration);
    const acknowledged: string[] = [];
    const write = async (one: string) => {
      await store.write([{ kind: 'put', collection, document: { _id: one } }]);
      acknowledged.push(one);
    };
    await Promise.all(ids.slice(0, 100).map(write));
    await server.kill();
    server = await startStandIn(join(folder.path, 'data'), port);
    await waitUntil(() =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    expect((await samples.getMany(acknowledged)).filter((document) => document === undefined)).toEqual([]);
  });

  test.each<[string, (id: string) => DocumentWrite]>([
    ['insert', (_id) => ({ kind: 'insert', collection, document: { _id } })],
    ['put_if_newer', (_id) => ({ kind: 'put_if_newer', collection, document: { _id, revision: 2 } })],
    [
      'compare_and_set',
      (_id) => ({ kind: 'compare_and_set', collection, expected: 1, document: { _id, version: 2 } }),
    ],
  ])('a bulk of %s that is cut in the middle is settled when it is back', async (kind, make) => {
    // Restarting the stand-in takes longer than a client waits for an answer.
    await store.close();
    store = await openStore(60_000);
    samples = await store.collection<Sample>(declaration);
    if (kind !== 'insert') {
      const before = { revision: 1, version: 1 };
      await store.write(ids.map((_id) => ({ kind: 'put', collection, document: { _id, ...before } })));
    }
    const outcomes = store.write(ids.map(make));
    await waitUntil(() => store.ping().then(() => true));
    await restart();
    expect(await outcomes).toEqual(ids.map((): WriteOutcome => ({ kind: 'written' })));
    const standing = await samples.getMany(ids);
    expect(standing).toEqual(ids.map(contentOf(make)));
  });

  function contentOf(make: (id: string) => DocumentWrite): (id: string) => unknown {
    return (id) => {
      const write = make(id);
      return write.kind === 'delete' ? undefined : write.document;
    };
  }
});
