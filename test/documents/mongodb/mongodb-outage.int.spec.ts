import { join } from 'node:path';
import type { Collection, DocumentWrite, WriteOutcome } from '../../../src/documents/document-store.js';
import { MongoDbDocumentStore } from '../../../src/documents/mongodb/mongodb-document-store.js';
import { isStoreUnavailableError } from '../../../src/eventing/event-store.errors.js';
import { expectRejection } from '../../contract/contract-case.js';
import { ManualClock } from '../../support/manual-clock.js';
import { describeWithMongo, freePort, startStandIn, type MongoServer } from '../../support/mongo-server.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

interface Sample {
  readonly _id: string;
  readonly [field: string]: unknown;
}

const collection = 'samples';
const count = 2_000;
const ids = Array.from({ length: count }, (_, number) => `id-${number}`);

/** These end and start their server, so they bring their own and never use the one that is configured. */
const describeOutage = process.env['TEST_MONGODB_URL'] === undefined ? describeWithMongo : describe;

describeOutage('a MongoDB that goes away', () => {
  let folder: TemporaryFolder;
  let server: MongoServer;
  let store: MongoDbDocumentStore;
  let samples: Collection<Sample>;
  let port: number;

  beforeEach(async () => {
    folder = await temporaryFolder();
    port = await freePort();
    server = await startStandIn(join(folder.path, 'data'), port);
    store = await MongoDbDocumentStore.connect(server.url, { clock: new ManualClock() });
    samples = await store.collection<Sample>({ name: collection, indexes: { by_n: { fields: ['n'] } } });
    await samples.get('a');
  });

  afterEach(async () => {
    await store.close();
    await server.stop();
    await folder.remove();
  });

  async function restart(): Promise<void> {
    await server.stop();
    server = await startStandIn(join(folder.path, 'data'), port);
  }

  async function failureOf(call: Promise<unknown>): Promise<{ unknown: boolean; milliseconds: number }> {
    const started = performance.now();
    let unknown = false;
    await expectRejection(call, (error) => {
      if (!isStoreUnavailableError(error)) return false;
      unknown = error.outcomeUnknown;
      return true;
    });
    return { unknown, milliseconds: performance.now() - started };
  }

  test('reads and writes fail within 5 s while it is away and heal when it is back', async () => {
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
      expect(milliseconds).toBeLessThan(5_000);
    }
    const write = await failureOf(store.write([{ kind: 'put', collection, document: { _id: 'b' } }]));
    // The driver may have sent it before it found no server, and does not say.
    expect(write).toMatchObject({ unknown: true });
    expect(write.milliseconds).toBeLessThan(5_000);
    server = await startStandIn(join(folder.path, 'data'), port);
    expect(await samples.get('a')).toEqual({ _id: 'a', n: 1 });
  });

  test.each<[string, (id: string) => DocumentWrite]>([
    ['insert', (_id) => ({ kind: 'insert', collection, document: { _id } })],
    ['put_if_newer', (_id) => ({ kind: 'put_if_newer', collection, document: { _id, revision: 2 } })],
    [
      'compare_and_set',
      (_id) => ({ kind: 'compare_and_set', collection, expected: 1, document: { _id, version: 2 } }),
    ],
  ])('a bulk of %s that is cut in the middle is settled when it is back', async (kind, make) => {
    if (kind !== 'insert') {
      const before = { revision: 1, version: 1 };
      await store.write(ids.map((_id) => ({ kind: 'put', collection, document: { _id, ...before } })));
    }
    const outcomes = store.write(ids.map(make)).catch((error: unknown) => error);
    await waitUntil(() => store.ping().then(() => true));
    await restart();
    const settled = await outcomes;
    const standing = await waitUntil(
      () => samples.getMany(ids).catch(() => undefined),
      (found) => found !== undefined,
    );
    const stored = standing!.filter(
      (found) => found !== undefined && (found['revision'] ?? found['version']) !== 1,
    );
    expectTruth(settled, stored.length);
  });

  /** Either every write was settled as written and is there, or the call said that it does not know. */
  function expectTruth(settled: unknown, stored: number): void {
    if (isStoreUnavailableError(settled)) {
      expect(settled.outcomeUnknown || stored === 0).toBe(true);
      return;
    }
    const kinds = new Set((settled as WriteOutcome[]).map(({ kind }) => kind));
    expect({ kinds: [...kinds], stored }).toEqual({ kinds: ['written'], stored: count });
  }
});
