import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { startChild } from '../../../support/child-process.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';
import { waitUntil } from '../../../support/wait-until.js';

interface Counted {
  readonly _id: string;
  readonly number: number;
}

const SAMPLES = { name: 'samples', indexes: { by_number: { fields: ['number'] } } };
/** Longer than changes wait for their flush, and than a failed one for its repetition. */
const LONG = 10_000;

let folder: TemporaryFolder;
let clock: ManualClock;
let database: EmbeddedDatabase;
let store: EmbeddedDocumentStore;
let commits: number;
/** Stands before each commit; what it throws keeps that from the file. */
let beforeCommit: () => Promise<void>;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  commits = 0;
  beforeCommit = () => Promise.resolve();
  await open();
});

afterEach(async () => {
  await store.close();
  await folder.remove();
});

async function open(): Promise<void> {
  database = await openEmbeddedDatabase({
    folder: folder.path,
    durable: false,
    writeBehind: true,
    clock,
    interceptCommit: async (commit) => {
      commits += 1;
      await beforeCommit();
      await commit();
    },
  });
  store = new EmbeddedDocumentStore(database, clock);
  await store.collection<Counted>(SAMPLES);
}

function put(_id: string, number: number) {
  const document: Counted = { _id, number };
  return { kind: 'put' as const, collection: SAMPLES.name, document };
}

function write(_id: string, number: number) {
  return store.write([put(_id, number)]);
}

async function numberOf(_id: string): Promise<number | undefined> {
  return (await (await store.collection<Counted>(SAMPLES)).get(_id))?.number;
}

async function count(): Promise<number> {
  const samples = await store.collection<Counted>(SAMPLES);
  return (await samples.find('by_number', { equals: [], limit: 100_000 })).documents.length;
}

/** What another process sees. */
async function numberInFile(_id: string): Promise<number | undefined> {
  const options = { folder: folder.path, durable: true, clock, readOnly: true };
  const reader = new EmbeddedDocumentStore(await openEmbeddedDatabase(options), clock);
  const document = await (await reader.collection<Counted>(SAMPLES)).get(_id);
  await reader.close();
  return document?.number;
}

const full = () => Promise.reject(new StoreUnavailableError('The disk is full.', false));

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof StoreUnavailableError
    ? `unknown: ${error.outcomeUnknown}`
    : `not refused: ${String(error)}`;
}

/** The next commits wait at a gate, and go on as it opens. */
function closeGate(): () => void {
  let openGate: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (openGate = resolve));
  beforeCommit = () => gate;
  return openGate;
}

async function flushed(): Promise<void> {
  clock.advance(LONG);
  await store.flush();
}

describe('a write', () => {
  test('stands at once without a commit, which comes by itself and holds the last of many versions', async () => {
    await flushed();
    commits = 0;
    for (let number = 1; number <= 100; number += 1) {
      await write('a', number);
      expect([await numberOf('a'), await count()]).toEqual([number, 1]);
    }
    expect([commits, await numberInFile('a')]).toEqual([0, undefined]);
    clock.advance(LONG);
    await waitUntil(
      () => numberInFile('a'),
      (number) => number === 100,
    );
    expect(commits).toBe(1);
  });

  test('goes on while a flush is in flight, and is in the next', async () => {
    const openGate = closeGate();
    await write('a', 1);
    const first = store.flush();
    await store.write([put('a', 2), put('b', 2)]);
    expect([await numberOf('a'), await numberOf('b'), await count()]).toEqual([2, 2, 2]);
    openGate();
    await first;
    expect([await numberInFile('a'), await numberInFile('b')]).toEqual([1, undefined]);
    expect([await numberOf('a'), await numberOf('b'), await count()]).toEqual([2, 2, 2]);
    await store.flush();
    expect([await numberInFile('a'), await numberInFile('b')]).toEqual([2, 2]);
  });

  test('waits for the flush where too many others do, in the order in which it came', async () => {
    const openGate = closeGate();
    let acknowledged = 0;
    const writes = Array.from({ length: 400 }, (_, round) => {
      const some = Array.from({ length: 100 }, (__, number) => put(`${round}-${number}`, round));
      return store.write([...some, put('last', round)]).then(() => (acknowledged += 1));
    });
    await waitUntil(
      () => acknowledged,
      (before) => before > 10,
    );
    expect(acknowledged).toBeLessThan(200);
    openGate();
    await Promise.all(writes);
    expect([await count(), await numberOf('last')]).toEqual([40_001, 399]);
  });

  test('that throws leaves nothing of itself', async () => {
    const meta = database.table('meta');
    const failing = database.enqueue((group) => {
      group.put(meta, 'one', '1');
      throw new Error('a bug');
    });
    await expect(failing).rejects.toThrow('a bug');
    expect(meta.get('one')).toBeUndefined();
  });

  test('that was accepted is in the file when the store has closed', async () => {
    const openGate = closeGate();
    const some = Array.from({ length: 9_000 }, (_, number) => put(`id-${number}`, number));
    const writes = [store.write(some), write('behind', 1)];
    const closing = store.close();
    openGate();
    await Promise.all([...writes, closing]);
    expect([await numberInFile('id-8999'), await numberInFile('behind')]).toEqual([8_999, 1]);
    expect(clock.pending).toBe(0);
  });
});

describe('a flush that fails', () => {
  test('loses nothing: reads go on, writes are refused until one succeeds, and then all is in the file', async () => {
    await write('a', 1);
    beforeCommit = full;
    expect(await refusalOf(store.flush())).toBe('unknown: false');
    expect(await refusalOf(write('b', 1))).toBe('unknown: false');
    expect(await refusalOf(store.collection({ name: 'others', indexes: {} }))).toBe('unknown: false');
    expect([await numberOf('a'), await numberOf('b'), await count()]).toEqual([1, undefined, 1]);
    await expect(store.ping()).resolves.toBeUndefined();
    beforeCommit = () => Promise.resolve();
    await write('b', 2);
    expect([await numberOf('a'), await numberOf('b')]).toEqual([1, 2]);
    await store.flush();
    expect([await numberInFile('a'), await numberInFile('b')]).toEqual([1, 2]);
  });

  test('is repeated by itself', async () => {
    await write('a', 1);
    beforeCommit = full;
    await refusalOf(store.flush());
    beforeCommit = () => Promise.resolve();
    clock.advance(LONG);
    const number = await waitUntil(
      () => numberInFile('a'),
      (found) => found !== undefined,
    );
    expect(number).toBe(1);
  });

  test('refuses those who wait for it', async () => {
    const openGate = closeGate();
    await write('a', 1);
    const first = store.flush();
    await store.write(Array.from({ length: 9_000 }, (_, number) => put(`id-${number}`, number)));
    const waiting = refusalOf(write('b', 1));
    beforeCommit = full;
    openGate();
    await first;
    expect(await waiting).toBe('unknown: false');
  });

  test('does not keep the store from closing, and is made good by whoever writes it all again', async () => {
    await flushed();
    await write('a', 1);
    beforeCommit = full;
    await store.close();
    expect([await numberInFile('a'), clock.pending]).toEqual([undefined, 0]);
    beforeCommit = () => Promise.resolve();
    await open();
    await write('a', 1);
    expect(await numberOf('a')).toBe(1);
  });
});

/** Puts numbered documents, and behind each a checkpoint that says so. */
async function count100(): Promise<void> {
  for (let number = 1; number <= 100; number += 1) {
    await write(`id-${number}`, number);
    await write('checkpoint', number);
    if (number % 7 === 0) void store.flush().catch(() => undefined);
    if (number % 11 === 0) await store.flush();
  }
}

describe('a checkpoint', () => {
  test.each(Array.from({ length: 24 }, (_, index) => [index]))(
    'of a store that ended after %d flushes has everything before it beside it',
    async (flushes) => {
      beforeCommit = () => (commits > flushes + 1 ? full() : Promise.resolve());
      await flushed();
      await count100().catch(() => undefined);
      await store.close();
      await open();
      const checkpoint = (await numberOf('checkpoint')) ?? 0;
      for (let number = 1; number <= checkpoint; number += 1)
        expect(await numberOf(`id-${number}`)).toBe(number);
      expect(checkpoint > 0).toBe(flushes > 0);
    },
  );

  test('of a process that was killed has everything before it beside it', async () => {
    await store.close();
    let last = 0;
    for (let round = 0; round < 5; round += 1) {
      const writer = startChild(join(__dirname, 'write-behind.child.ts'), folder.path);
      await writer.line('far');
      // The moment of the kill shall differ from round to round; nothing is waited for.
      await pause(round * 17);
      await writer.kill();
      await open();
      const checkpoint = (await numberOf('checkpoint')) ?? 0;
      const ids = Array.from({ length: checkpoint }, (_, number) => `id-${number + 1}`);
      const documents = await (await store.collection<Counted>(SAMPLES)).getMany(ids);
      expect(documents.map((document) => document?._id)).toEqual(ids);
      expect(checkpoint).toBeGreaterThanOrEqual(last);
      last = checkpoint;
      await store.close();
    }
    expect(last).toBeGreaterThan(1_000);
  }, 120_000);
});
