import { EventStoreDbEventStore } from '../../src/log/eventstoredb/index.js';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import type { EventStore, RecordedEvent } from '../../src/log/event-store.js';
import { OwnStreams } from '../../src/log/own-streams.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { systemClock } from '../../src/config/clock.js';
import { systemIds } from '../../src/config/ids.js';
import { EventStoreDbDouble } from '../support/eventstoredb-double/index.js';
import { ManualClock } from '../support/manual-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';

const PREFIX = 'ours.';

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

async function onServer(): Promise<Log> {
  const double = await EventStoreDbDouble.start();
  const options = { url: double.url(), streamPrefix: PREFIX, clock: systemClock };
  return { store: new EventStoreDbEventStore(options), close: () => double.close() };
}

describe.each([
  ['embedded', embedded],
  ['on a server', onServer],
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

  const append = async (store: EventStore, stream: string, ...types: string[]) =>
    store.append([
      {
        stream,
        expected: 'no_stream',
        events: types.map((type) => ({ id: systemIds.uuid(), type, data: {}, metadata: {} })),
      },
    ]);
  const named = (events: readonly RecordedEvent[]) => events.map(({ stream, type }) => `${stream} ${type}`);

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
});
