import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';
import { waitUntil } from '../../../support/wait-until.js';

let folder: TemporaryFolder;
let clock: ManualClock;
let database: EmbeddedDatabase;
let failNext: number;
let commits: number;

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  failNext = 0;
  commits = 0;
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
    interceptCommit: (commit) => {
      commits += 1;
      if (failNext === 0) return commit();
      failNext -= 1;
      return Promise.reject(new StoreUnavailableError('The disk is full.', false));
    },
  });
}

function appendTo(events: EmbeddedEventStore, stream: string, expected: number | 'no_stream') {
  const event = { id: `${stream}-${expected}`, type: 'Happened', data: {}, metadata: {} };
  return events.append([{ stream, expected, events: [event] }]);
}

/** Entries of a table, read past the stores. */
function entriesOf(name: Parameters<EmbeddedDatabase['table']>[0]): string[] {
  return [...database.table(name).entries({ start: '\0', end: '\xff' })].map(({ key }) => key);
}

describe('group commit', () => {
  test('operations that come during a commit share the next one', async () => {
    const events = new EmbeddedEventStore(database);
    const appends = Array.from({ length: 50 }, (_, number) => appendTo(events, `s${number}`, 'no_stream'));
    await Promise.all(appends);
    expect(commits).toBe(1);
    const first = appendTo(events, 'a', 'no_stream');
    await Promise.resolve();
    const rest = Array.from({ length: 50 }, (_, number) => appendTo(events, `s${number}`, 0));
    await Promise.all([first, ...rest]);
    expect(commits).toBe(3);
  });

  test('a lazy operation joins the next commit, and has one of its own after a second or at the end', async () => {
    const meta = database.table('meta');
    const done: string[] = [];
    const put = async (key: string, lazy: boolean) => {
      await database.enqueue((group) => group.put(meta, key, key), { lazy });
      done.push(key);
    };
    const joining = put('joining', true);
    clock.advance(999);
    await put('first', false);
    await joining;
    expect([commits, done]).toEqual([1, ['joining', 'first']]);
    const late = put('late', true);
    clock.advance(999);
    await nextTurn();
    expect(commits).toBe(1);
    clock.advance(1);
    await late;
    expect(commits).toBe(2);
    const during = [put('running', false), nextTurn().then(() => put('during', true))];
    await during[0];
    expect(done).not.toContain('during');
    const last = put('last', true);
    await database.close();
    await Promise.all([...during, last]);
    database = await open();
    expect(entriesOf('meta')).toEqual(expect.arrayContaining([...done]));
    expect([done.slice(3), clock.pending]).toEqual([['running', 'during', 'last'], 0]);
  });

  test('an operation that throws fails alone, and what it wrote is forgotten', async () => {
    const meta = database.table('meta');
    const outcomes = await Promise.allSettled([
      database.enqueue((group) => group.put(meta, 'one', '1')),
      database.enqueue((group) => {
        group.put(meta, 'two', '2');
        throw new Error('a bug');
      }),
      database.enqueue((group) => group.get(meta, 'two') ?? 'absent'),
    ]);
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'rejected'))).toEqual([
      undefined,
      'rejected',
      'absent',
    ]);
    expect([meta.get('one'), meta.get('two')]).toEqual(['1', undefined]);
  });

  test('a conflict alone needs no commit', async () => {
    const events = new EmbeddedEventStore(database);
    expect(await appendTo(events, 'a', 3)).toEqual([{ kind: 'conflict', stream: 'a', actual: 'no_stream' }]);
    expect(commits).toBe(0);
  });
});

describe('a commit that fails', () => {
  test('rejects its whole group, stores nothing, and the next goes through', async () => {
    const events = new EmbeddedEventStore(database);
    const records = new EmbeddedDocumentStore(database, clock);
    const samples = await records.collection({ name: 'samples', indexes: {} });
    await appendTo(events, 'a', 'no_stream');
    failNext = 1;
    const outcomes = await Promise.allSettled([
      appendTo(events, 'a', 0),
      appendTo(events, 'b', 'no_stream'),
      records.write([{ kind: 'insert', collection: 'samples', document: { _id: 'x' } }]),
    ]);
    expect(
      outcomes.map(
        (outcome) => outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailableError,
      ),
    ).toEqual([true, true, true]);
    expect(await events.readStream('a')).toHaveLength(1);
    expect(await samples.get('x')).toBeUndefined();
    await nextTurn();
    expect((await appendTo(events, 'a', 0))[0]!.kind).toBe('appended');
    expect((await appendTo(events, 'b', 'no_stream'))[0]!.kind).toBe('appended');
    const all = await events.readAll({ limit: 10 });
    expect(all.map(({ stream, revision }) => `${stream}${revision}`)).toEqual(['a0', 'a1', 'b0']);
  });

  test('does not reach subscriptions', async () => {
    const events = new EmbeddedEventStore(database);
    const seen: string[] = [];
    events.subscribe(undefined, {
      handle: (batch) => Promise.resolve(void seen.push(...batch.map(({ id }) => id))),
    });
    failNext = 1;
    await expect(appendTo(events, 'a', 'no_stream')).rejects.toThrow('The disk is full.');
    await nextTurn();
    await appendTo(events, 'b', 'no_stream');
    await waitUntil(
      () => seen,
      (ids) => ids.length > 0,
    );
    expect(seen).toEqual(['b-no_stream']);
  });
});

describe('housekeeping', () => {
  test('removes expired documents with their entries, and nothing else', async () => {
    const records = new EmbeddedDocumentStore(database, clock);
    await records.collection({
      name: 'samples',
      indexes: { by_code: { fields: ['code'], unique: true } },
      expiry: 'expires_at',
    });
    const documents = Array.from({ length: 1_200 }, (_, number) => ({
      _id: `id-${number}`,
      code: number,
      expires_at: number === 7 ? null : clock.now() + 1_000,
    }));
    await records.write(documents.map((document) => ({ kind: 'put', collection: 'samples', document })));
    clock.advance(60_000);
    await waitUntil(
      () => entriesOf('expiry').length,
      (length) => length === 0,
    );
    expect(entriesOf('documents').map((key) => key.slice(6))).toEqual(['id-7']);
    expect(entriesOf('indexes')).toHaveLength(1);
    await records.close();
    expect(clock.pending).toBe(0);
  });

  test('an index that was given up leaves no entries, one that is new finds what is there', async () => {
    const records = new EmbeddedDocumentStore(database, clock);
    await records.collection({ name: 'samples', indexes: { by_rank: { fields: ['rank'] } } });
    const documents = Array.from({ length: 2_500 }, (_, rank) => ({
      _id: `id-${rank}`,
      rank,
      company: rank % 5,
    }));
    await records.write(documents.map((document) => ({ kind: 'put', collection: 'samples', document })));
    const samples = await records.collection({
      name: 'samples',
      indexes: { by_company: { fields: ['company'] } },
    });
    clock.advance(60_000);
    await waitUntil(
      () => entriesOf('garbage').length,
      (length) => length === 0,
    );
    expect(entriesOf('indexes')).toHaveLength(2_500);
    const page = await samples.find('by_company', { equals: [3], limit: 1_000 });
    expect(page.documents).toHaveLength(500);
  });
});

describe('keys beyond what lmdb takes', () => {
  test('documents with four long indexed values are kept, found and removed', async () => {
    const records = new EmbeddedDocumentStore(database, clock);
    const fields = ['one', 'two', 'three', 'four'];
    const samples = await records.collection({
      name: 'samples',
      indexes: { by_all: { fields }, by_unique: { fields: [...fields, 'last'], unique: true } },
    });
    const long = 'x'.repeat(1_020);
    const make = (last: string) => ({
      _id: `${'y'.repeat(1_199)}${last}`,
      one: long,
      two: long,
      three: long,
      four: long,
      last,
    });
    const documents = ['c', 'a', 'b'].map(make);
    await records.write(documents.map((document) => ({ kind: 'put', collection: 'samples', document })));
    const equals = [long, long, long, long];
    const found = await samples.find('by_all', { equals, limit: 10 });
    expect(found.documents.map(({ _id }) => _id.at(-1)).sort()).toEqual(['a', 'b', 'c']);
    expect(
      (await samples.find('by_all', { equals: [long, long, long, `${long}z`], limit: 10 })).documents,
    ).toEqual([]);
    const clash = { ...make('a'), _id: 'other' };
    expect(await records.write([{ kind: 'insert', collection: 'samples', document: clash }])).toEqual([
      { kind: 'duplicate', index: 'by_unique' },
    ]);
    await records.write(documents.map(({ _id }) => ({ kind: 'delete', collection: 'samples', id: _id })));
    expect(entriesOf('indexes')).toEqual([]);
  });

  test('stream names beyond them are told apart', async () => {
    const events = new EmbeddedEventStore(database);
    const name = 'é'.repeat(3_000);
    await appendTo(events, `${name}a`, 'no_stream');
    await appendTo(events, `${name}b`, 'no_stream');
    expect((await events.readStream(`${name}a`)).map(({ stream }) => stream === `${name}a`)).toEqual([true]);
  });
});

describe('opening', () => {
  test('a store of a later format is refused, and the lock given back', async () => {
    await database.enqueue((group) => group.put(database.table('meta'), 'format', '2'));
    await database.close();
    await expect(open()).rejects.toThrow(/has format 2; this program reads format 1/);
    await expect(open()).rejects.toThrow(/has format 2/);
  });

  test('a file that is no store is refused, and the lock given back', async () => {
    await database.close();
    writeFileSync(join(folder.path, 'data.mdb'), 'nonsense'.repeat(2_000));
    await expect(open()).rejects.toThrow(/has format unknown/);
    await expect(open()).rejects.toThrow(/has format unknown/);
  });

  test('a holder that cannot be seen from here is given time to show that it lives', async () => {
    await database.close();
    const lock = openLmdb<string, string>({
      path: join(folder.path, 'writer.mdb'),
      noSubdir: true,
      encoding: 'string',
    });
    await lock.put('holder', JSON.stringify({ pid: 1, started: '1', machine: 'another container' }));
    await lock.close();
    const { WriterLock } = await import('#stores/embedded/database/writer-lock.js');
    const taken = await WriterLock.acquire(folder.path, 50);
    taken.release();
    database = await open();
    expect(database.readOnly).toBe(false);
  });
});
