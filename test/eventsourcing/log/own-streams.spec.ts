import { withMembers } from '../../support/with-members.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { EventStore, RecordedEvent } from '#eventsourcing/log/event-store.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { systemClock } from '#kernel/clock.js';
import { systemIds } from '#kernel/ids.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';

const PREFIX = 'ours.';
/** As a number it is beyond 2^53. */
const TOMBSTONE_REVISION = 9_223_372_036_854_775_807n;

interface Log {
  readonly store: EventStore;
  close(): Promise<void>;
}

async function embedded(): Promise<Log> {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: false, clock });
  return { store: new EmbeddedEventStore(database), close: () => folder.remove() };
}

async function onServer(double?: EventStoreDbDouble): Promise<Log> {
  double ??= await EventStoreDbDouble.start();
  const options = { url: double.url(), streamPrefix: PREFIX, clock: systemClock };
  return { store: new EventStoreDbEventStore(options), close: () => double.close() };
}

const append = async (store: EventStore, stream: string, ...types: string[]) =>
  store.append([
    {
      stream,
      expected: 'no_stream',
      events: types.map((type) => ({ id: systemIds.uuid(), type, data: {}, metadata: {} })),
    },
  ]);

const named = (events: readonly RecordedEvent[]) => events.map(({ stream, type }) => `${stream} ${type}`);

describe.each([
  ['embedded', embedded],
  ['on a server', () => onServer()],
])('a log that others use as well, %s', (_, open) => {
  let log: Log;
  let own: OwnStreams;
  beforeEach(async () => {
    log = await open();
    own = new OwnStreams(log.store, PREFIX);
  });
  afterEach(async () => {
    await own.close();
    await log.close();
  });

  it('shows the own streams alone, under the names behind the prefix', async () => {
    expect(await append(own, 'unit-1', 'A', 'B')).toMatchObject([{ kind: 'appended', stream: 'unit-1' }]);
    expect(await append(own, 'unit-1', 'C')).toMatchObject([{ kind: 'conflict', stream: 'unit-1' }]);
    await append(log.store, 'unit-1', 'Foreign');
    await append(log.store, 'ours', 'Foreign');
    expect(named(await own.readStream('unit-1'))).toEqual(['unit-1 A', 'unit-1 B']);
    expect(named(await own.readStream('unit-2'))).toEqual([]);
    expect(named(await log.store.readStream('ours.unit-1'))).toEqual(['ours.unit-1 A', 'ours.unit-1 B']);
  });

  it('is read and followed past the events of others', async () => {
    await append(own, 'unit-1', 'A');
    for (const number of [1, 2, 3, 4, 5]) await append(log.store, `other-${number}`, 'Foreign');
    await append(own, 'unit-2', 'B', 'C');
    await append(log.store, 'other-6', 'Foreign');
    const page = await own.readAll({ limit: 2 });
    expect(named(page)).toEqual(['unit-1 A', 'unit-2 B']);
    expect(named(await own.readAll({ after: page[1]!.position, limit: 2 }))).toEqual(['unit-2 C']);
    expect(named(await own.readAll({ limit: 3, backwards: true }))).toEqual([
      'unit-2 C',
      'unit-2 B',
      'unit-1 A',
    ]);
    expect(await own.readAll({ after: page[1]!.position, limit: 9, backwards: true })).toHaveLength(1);
    const seen: RecordedEvent[] = [];
    const batches: number[] = [];
    const subscription = own.subscribe(undefined, {
      handle(events) {
        batches.push(events.length);
        return Promise.resolve(void seen.push(...events));
      },
    });
    await waitUntil(() => seen.length === 3);
    await append(log.store, 'other-7', 'Foreign');
    await append(own, 'unit-3', 'D');
    await waitUntil(() => seen.length === 4);
    await subscription.stop();
    expect(named(seen)).toEqual(['unit-1 A', 'unit-2 B', 'unit-2 C', 'unit-3 D']);
    expect(batches).not.toContain(0);
  });

  it('tells who follows it how far the events of others reach', async () => {
    await append(own, 'unit-1', 'A');
    for (let number = 0; number < 40; number += 1) await append(log.store, `other-${number}`, 'Foreign');
    const seen: RecordedEvent[] = [];
    const passed: bigint[] = [];
    const subscription = own.subscribe(undefined, {
      handle: (events) => Promise.resolve(void seen.push(...events)),
      passed: (position) => Promise.resolve(void passed.push(position)),
    });
    await waitUntil(() => passed.length > 0);
    await subscription.stop();
    expect(named(seen)).toEqual(['unit-1 A']);
    expect(passed.at(-1)).toBeGreaterThan(seen[0]!.position);
    expect(passed.at(-1)).toBeLessThanOrEqual((await log.store.head())!);
    await append(own, 'unit-2', 'B');
    expect(named(await own.readAll({ after: passed.at(-1)!, limit: 9 }))).toEqual(['unit-2 B']);
  });

  it('reaches as far as the events of others do, which a look passes', async () => {
    await append(own, 'unit-1', 'A');
    await append(log.store, 'other-1', 'Foreign', 'Foreign');
    const [foreign] = await log.store.readAll({ limit: 1, backwards: true });
    expect(await own.head()).toBeGreaterThanOrEqual(foreign!.position);
    expect(await own.head()).toBe(await log.store.head());
  });

  it('is read back past the events of others, none of which is read twice', async () => {
    await append(own, 'unit-1', 'A', 'B');
    for (const number of [1, 2, 3]) {
      await append(log.store, `other-${number}`, ...Array<string>(400).fill('Foreign'));
    }
    await append(own, 'unit-2', 'C');
    const reads: (readonly RecordedEvent[])[] = [];
    const watched = withMembers<EventStore>(log.store, {
      readAll: async (options) => {
        const page = await log.store.readAll(options);
        reads.push(page);
        return page;
      },
    });
    const back = new OwnStreams(watched, PREFIX);
    expect(named(await back.readAll({ limit: 2, backwards: true }))).toEqual(['unit-2 C', 'unit-1 B']);
    const ids = reads.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Math.max(...reads.map(({ length }) => length))).toBeLessThanOrEqual(500);

    reads.length = 0;
    let end: bigint | undefined;
    const scan = { atMost: 700, upTo: (position: bigint) => void (end = position) };
    expect(named(await back.readAll({ limit: 9, backwards: true, scan }))).toEqual(['unit-2 C']);
    expect(reads.flat().length).toBeLessThanOrEqual(700 + 32);
    const rest = await back.readAll({
      limit: 9,
      backwards: true,
      before: end!,
      scan: { ...scan, atMost: 9_000 },
    });
    expect(named(rest)).toEqual(['unit-1 B', 'unit-1 A']);
    expect(end).toBe(0n);
  });

  it('is looked through past the events of others in bounded reads, none of which looks again', async () => {
    for (let number = 0; number < 40; number += 1) await append(log.store, `other-${number}`, 'Foreign');
    await append(own, 'unit-1', 'A');
    for (let number = 40; number < 80; number += 1) await append(log.store, `other-${number}`, 'Foreign');
    const places: bigint[] = [];
    const found: RecordedEvent[] = [];
    for (let before: bigint | undefined = -1n; places.at(-1) !== before;) {
      before = places.at(-1);
      const scan = { atMost: 10, upTo: (position: bigint) => void places.push(position) };
      found.push(
        ...(await own.readAll({ limit: 10, scan, ...(before === undefined ? {} : { after: before }) })),
      );
    }
    expect(named(found)).toEqual(['unit-1 A']);
    expect(places.length).toBeGreaterThan(2);
    expect(places.slice(0, -1)).toEqual([...new Set(places)]);
    await append(log.store, 'other-80', 'Foreign');
    await append(own, 'unit-2', 'B');
    expect(named(await own.readAll({ after: places.at(-1)!, limit: 9 }))).toEqual(['unit-2 B']);
  });
});

it('a log on a server is read and followed past the tombstones of others', async () => {
  const double = await EventStoreDbDouble.start();
  const log = await onServer(double);
  const own = new OwnStreams(log.store, PREFIX);
  const deleteForEver = (stream: string): void => {
    double.log.tombstone(stream);
    Object.assign(double.log.events.at(-1)!, { revision: TOMBSTONE_REVISION });
  };
  await append(log.store, 'other-1', 'Foreign');
  deleteForEver('other-1');
  await append(own, 'unit-1', 'A');
  expect(named(await own.readAll({ limit: 9 }))).toEqual(['unit-1 A']);
  expect(named(await own.readAll({ limit: 9, backwards: true }))).toEqual(['unit-1 A']);
  const seen: RecordedEvent[] = [];
  const subscription = own.subscribe(undefined, {
    handle: (events) => Promise.resolve(void seen.push(...events)),
  });
  await waitUntil(() => seen.length === 1);
  deleteForEver('other-2');
  await append(own, 'unit-2', 'B');
  await waitUntil(() => seen.length === 2);
  await subscription.stop();
  expect(named(seen)).toEqual(['unit-1 A', 'unit-2 B']);
  await own.close();
  await log.close();
});
