import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { systemClock } from '#kernel/clock.js';
import {
  openEmbeddedDatabase,
  tableNames,
  type EmbeddedDatabase,
} from '#stores/embedded/database/embedded-database.js';
import { LmdbEnvironment } from '#stores/embedded/database/lmdb-environment.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { startChild, type Child } from '../../../support/child-process.js';
import { waitUntil } from '../../../support/wait-until.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';

let folder: TemporaryFolder;
let children: Child[];
let lost: Error[];
let intervals: jest.SpiedFunction<typeof setInterval>;

beforeEach(async () => {
  intervals = jest.spyOn(globalThis, 'setInterval');
  folder = await temporaryFolder();
  children = [];
  lost = [];
});

afterEach(async () => {
  intervals.mockRestore();
  await Promise.all(children.map((child) => child.kill()));
  await folder.remove();
});

function open(): Promise<EmbeddedDatabase> {
  return openEmbeddedDatabase({
    folder: folder.path,
    durable: true,
    clock: systemClock,
    silence: 500,
    onLost: (error) => lost.push(error),
  });
}

async function startHolder(): Promise<Child> {
  const holder = startChild(join(__dirname, 'embedded-stalled.child.ts'), folder.path);
  children.push(holder);
  await holder.line('appended');
  return holder;
}

/** Changes the lock's record past the store; null removes it. */
async function rewriteHolder(change: (holder: Record<string, unknown>) => unknown): Promise<void> {
  const lock = openLmdb<string, string>({
    path: join(folder.path, 'writer.mdb'),
    noSubdir: true,
    encoding: 'string',
  });
  const changed = change(JSON.parse(lock.get('holder')!) as Record<string, unknown>);
  if (changed === null) await lock.remove('holder');
  else await lock.put('holder', JSON.stringify(changed));
  await lock.close();
}

/** Another process' part: claims the folder's data without asking the lock. */
async function overtake(): Promise<void> {
  const rival = new LmdbEnvironment({
    folder: folder.path,
    durable: true,
    readOnly: false,
    tables: tableNames,
  });
  rival.exclusively(() => rival.claim(() => undefined));
  await rival.close();
}

function appendTo(events: EmbeddedEventStore, stream: string, expected: number | 'no_stream') {
  const event = { id: `${stream} ${expected}`, type: 'Appended', data: {}, metadata: {} };
  return events.append([{ stream, expected, events: [event] }]);
}

async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StoreUnavailableError)) return `not refused: ${String(error)}`;
  return `${error.outcomeUnknown} ${error.message}`;
}

/** What a holder does every two seconds, now. */
function beat(): void {
  for (const [task, milliseconds] of intervals.mock.calls) if (milliseconds === 2_000) task();
}

const takenOver = /taken over by another process/;

describe('a holder that stood still and lost its folder', () => {
  test('appends nothing after it wakes, and ends; what its successor appended stands', async () => {
    const holder = await startHolder();
    process.kill(holder.pid, 'SIGSTOP');
    await rewriteHolder((record) => ({ ...record, machine: 'another container' }));
    const events = new EmbeddedEventStore(await open());
    const [outcome] = await appendTo(events, 'successor', 'no_stream');
    expect(outcome).toMatchObject({ kind: 'appended', position: 2n });
    process.kill(holder.pid, 'SIGUSR2');
    process.kill(holder.pid, 'SIGCONT');
    expect(await holder.line('refused')).toMatch(/^refused false .*taken over by another process/);
    expect(await holder.line('lost')).toMatch(takenOver);
    await appendTo(events, 'successor', 0);
    const all = await events.readAll({ limit: 10 });
    expect(all.map(({ id, position }) => `${position} ${id}`)).toEqual([
      '1 holder no_stream',
      '2 successor no_stream',
      '3 successor 0',
    ]);
    expect(lost).toEqual([]);
    await events.close();
  });

  test.each([
    ['another holds it', (record: Record<string, unknown>) => ({ ...record, machine: 'another container' })],
    ['another held it and has left', () => null],
  ])('finds out by itself when %s', async (_, change) => {
    const database = await open();
    const events = new EmbeddedEventStore(database);
    await appendTo(events, 'a', 'no_stream');
    expect(lost).toEqual([]);
    await rewriteHolder(change);
    beat();
    await waitUntil(() => lost.length > 0);
    expect(lost).toEqual([expect.objectContaining({ message: expect.stringMatching(takenOver) as string })]);
    expect(await refusalOf(appendTo(events, 'a', 0))).toMatch(/^false .*taken over/);
    await expect(events.ping()).rejects.toThrow(takenOver);
    await expect(events.close()).resolves.toBeUndefined();
  });
});

describe('a commit after the folder was claimed by another', () => {
  test('writes nothing, however large, rejects what is queued behind it, and stops the database', async () => {
    const database = await open();
    const events = new EmbeddedEventStore(database);
    await appendTo(events, 'a', 'no_stream');
    await overtake();
    const meta = database.table('meta');
    const large = database.enqueue(
      (group) => {
        for (let number = 0; number < 5_000; number += 1) group.put(meta, `key ${number}`, 'x'.repeat(100));
      },
      { alone: true },
    );
    const behind = appendTo(events, 'b', 'no_stream');
    const refusals = await Promise.all([refusalOf(large), refusalOf(behind)]);
    for (const refusal of refusals) expect(refusal).toMatch(/^false .*taken over/);
    expect(await refusalOf(appendTo(events, 'c', 'no_stream'))).toMatch(/^false .*taken over/);
    expect(lost).toHaveLength(1);
    await database.close();
    const reader = await openEmbeddedDatabase({
      folder: folder.path,
      durable: true,
      clock: systemClock,
      readOnly: true,
    });
    expect(reader.table('meta').get('key 0')).toBeUndefined();
    expect(reader.table('meta').get('key 4999')).toBeUndefined();
    expect(await new EmbeddedEventStore(reader).readAll({ limit: 10 })).toHaveLength(1);
    await reader.close();
  });

  test('is none where the one who claims has lost the lock before: the holder goes on', async () => {
    const events = new EmbeddedEventStore(await open());
    const rival = new LmdbEnvironment({
      folder: folder.path,
      durable: true,
      readOnly: false,
      tables: tableNames,
    });
    expect(() =>
      rival.exclusively(() =>
        rival.claim(() => {
          throw new Error('not the holder');
        }),
      ),
    ).toThrow('not the holder');
    await rival.close();
    expect((await appendTo(events, 'a', 'no_stream'))[0]!.kind).toBe('appended');
    await events.close();
  });
});
