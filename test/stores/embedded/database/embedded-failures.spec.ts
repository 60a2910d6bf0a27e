import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  openEmbeddedDatabase,
  tableNames,
  type EmbeddedDatabase,
} from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { LmdbEnvironment } from '#stores/embedded/database/lmdb-environment.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';
import { waitUntil } from '../../../support/wait-until.js';

let folder: TemporaryFolder;
let clock: ManualClock;
let database: EmbeddedDatabase;
/** The fate of the next commit: it fails, or it is stored and reports a failure. */
let next: 'fail' | 'land_unseen' | undefined;
let faults: unknown[];

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  next = undefined;
  faults = [];
  database = await open();
});

afterEach(async () => {
  await database.close();
  await folder.remove();
});

function open(): Promise<EmbeddedDatabase> {
  return openEmbeddedDatabase({
    folder: folder.path,
    durable: true,
    clock,
    onFault: (error) => faults.push(error),
    interceptCommit: async (commit) => {
      const fault = next;
      next = undefined;
      if (fault === 'fail') throw new StoreUnavailableError('The disk is full.', false);
      await commit();
      if (fault === 'land_unseen') throw new StoreUnavailableError('Who knows.', true);
    },
  });
}

/** Writes past the store, while it is closed, what is no document. */
async function damage(key: string): Promise<void> {
  const environment = new LmdbEnvironment({
    folder: folder.path,
    durable: true,
    readOnly: false,
    tables: tableNames,
  });
  environment.exclusively(() => environment.table('documents').put(key, '{"_id":'));
  await environment.close();
}

function appendTo(events: EmbeddedEventStore, stream: string) {
  const event = { id: stream, type: 'Happened', data: {}, metadata: {} };
  return events.append([{ stream, expected: 'no_stream', events: [event] }]);
}

/** What became of an operation, told when all that a failed commit concerns have heard of it. */
async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'done';
  } catch (error) {
    await nextTurn();
    return error instanceof StoreUnavailableError ? `unknown: ${error.outcomeUnknown}` : String(error);
  }
}

function ranked(_id: string) {
  return { _id, rank: 1 };
}

describe('a commit that landed and said that it failed', () => {
  test('leaves no earlier version of a document in memory', async () => {
    const records = new EmbeddedDocumentStore(database, clock);
    const samples = await records.collection({ name: 'samples', indexes: {} });
    const set = (expected: number | null) => {
      const document = { _id: 'x', version: (expected ?? 0) + 1 };
      return records.write([{ kind: 'compare_and_set', collection: 'samples', expected, document }]);
    };
    await set(null);
    await set(1);
    next = 'land_unseen';
    expect(await outcomeOf(set(2))).toBe('unknown: true');
    expect(await samples.get('x')).toEqual({ _id: 'x', version: 3 });
    expect(await set(3)).toEqual([{ kind: 'written' }]);
    expect(await samples.get('x')).toEqual({ _id: 'x', version: 4 });
  });

  test('leaves an index that was given up given up, and the one that took its place whole', async () => {
    const records = new EmbeddedDocumentStore(database, clock);
    const declare = (index: string) =>
      records.collection({ name: 'samples', indexes: { [index]: { fields: ['rank'] } } });
    await declare('former');
    await records.write([{ kind: 'put', collection: 'samples', document: ranked('old') }]);
    next = 'land_unseen';
    expect(await outcomeOf(declare('latter'))).toBe('unknown: true');
    await records.write([{ kind: 'put', collection: 'samples', document: ranked('new') }]);
    const samples = await declare('latter');
    clock.advance(60_000);
    await waitUntil(
      () => [...database.table('garbage').entries({ start: '\0', end: '\xff' })].length,
      (length) => length === 0,
    );
    const { documents } = await samples.find('latter', { equals: [1], limit: 10 });
    expect(documents.map(({ _id }) => _id)).toEqual(['new', 'old']);
    expect([...database.table('indexes').keys({ start: '\0', end: '\xff' })]).toHaveLength(2);
  });
});

describe('what was queued behind a group whose commit fails', () => {
  test('is refused, as it may rely on what came before, and what comes later goes through', async () => {
    const events = new EmbeddedEventStore(database);
    const meta = database.table('meta');
    next = 'fail';
    const outcomes = await Promise.all([
      outcomeOf(database.enqueue((group) => group.put(meta, 'reservation', '1'), { alone: true })),
      outcomeOf(appendTo(events, 'relying')),
    ]);
    expect(outcomes).toEqual(['unknown: false', 'unknown: false']);
    expect(meta.get('reservation')).toBeUndefined();
    expect(await events.readStream('relying')).toEqual([]);
    expect(await outcomeOf(appendTo(events, 'later'))).toBe('done');
  });

  test('is refused, too, if it comes before all have heard of the failure', async () => {
    const events = new EmbeddedEventStore(database);
    next = 'fail';
    const failing = database.enqueue((group) => group.put(database.table('meta'), 'reservation', '1'), {
      alone: true,
    });
    const relying = failing.catch(() => appendTo(events, 'relying'));
    expect(await outcomeOf(relying)).toBe('unknown: false');
    expect(await events.readStream('relying')).toEqual([]);
  });

  test('was never attempted, whatever became of the group', async () => {
    const events = new EmbeddedEventStore(database);
    const meta = database.table('meta');
    next = 'land_unseen';
    const outcomes = await Promise.all([
      outcomeOf(database.enqueue((group) => group.put(meta, 'reservation', '1'), { alone: true })),
      outcomeOf(appendTo(events, 'relying')),
    ]);
    expect(outcomes).toEqual(['unknown: true', 'unknown: false']);
    expect(await events.readStream('relying')).toEqual([]);
  });
});

describe('housekeeping beside a damaged record', () => {
  test('says so once, leaves the record, and removes all others and what an index that was given up left', async () => {
    let records = new EmbeddedDocumentStore(database, clock);
    await records.collection({ name: 'others', indexes: { by_rank: { fields: ['rank'] } } });
    await records.write([{ kind: 'put', collection: 'others', document: ranked('x') }]);
    await records.collection({ name: 'others', indexes: {} });
    await records.write([{ kind: 'delete', collection: 'others', id: 'x' }]);
    await records.collection({ name: 'samples', indexes: {}, expiry: 'expires_at' });
    const documents = Array.from({ length: 600 }, (_, number) => ({
      _id: `id-${number}`,
      expires_at: clock.now() + 1_000,
    }));
    await records.write(documents.map((document) => ({ kind: 'put', collection: 'samples', document })));
    const keys = (): string[] => [...database.table('documents').keys({ start: '\0', end: '\xff' })];
    const [damaged] = keys().filter((key) => key.endsWith('id-7'));
    await records.close();
    await damage(damaged!);
    database = await open();
    records = new EmbeddedDocumentStore(database, clock);
    for (let sweep = 1; sweep <= 2; sweep += 1) {
      clock.advance(60_000);
      await waitUntil(
        () => keys().length + [...database.table('indexes').keys({ start: '\0', end: '\xff' })].length,
        (length) => length === 1,
      );
    }
    expect(keys()).toEqual([damaged]);
    await records.close();
    expect(faults).toEqual([expect.any(SyntaxError)]);
  });
});
