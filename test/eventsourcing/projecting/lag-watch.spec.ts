import { withMembers } from '../../support/with-members.js';
import { randomUUID } from 'node:crypto';
import type { EventStore, NewEvent, ReadAllOptions } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { LagWatch } from '#eventsourcing/projecting/lag-watch.js';
import { type CounterWorld, openCounterWorld } from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';

const FOREIGN = 5_500;
/** Reads of a thousand in which all of them can be passed. */
const READS = 6;

const event = (): NewEvent => ({ id: randomUUID(), type: 'X', data: {}, metadata: {} });

let world: CounterWorld;
let own: EventStore;
let watch: LagWatch;
/** Of the log itself: where each read began, and how many run. */
let begins: bigint[];
let running: number;
let mostAtOnce: number;
/** The log ends here, as one does that was put back; undefined where it is whole. */
let endsAt: bigint | undefined;

async function append(stream: string, count: number, store: EventStore = own): Promise<bigint> {
  const [last] = await store.readStream(stream, { backwards: true, limit: 1 });
  const events = Array.from({ length: count }, event);
  const [outcome] = await store.append([{ stream, expected: last?.revision ?? 'no_stream', events }]);
  return (outcome as { position: bigint }).position;
}

const appendForeign = (count: number) => append('foreign', count, world.log);

/** The log, whose reads are counted. */
function watchedLog(): EventStore {
  return withMembers<EventStore>(world.log, {
    head: async () => endsAt ?? (await world.log.head()),
    readAll: async (options) => {
      const { after = 0n } = options;
      begins.push(after);
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      await new Promise(setImmediate);
      running -= 1;
      if (endsAt !== undefined && after > endsAt) throw new PositionLostError(after);
      const events = await world.log.readAll(options);
      return events.filter(({ position }) => endsAt === undefined || position <= endsAt);
    },
  });
}

beforeEach(async () => {
  world = await openCounterWorld();
  [begins, running, mostAtOnce, endsAt] = [[], 0, 0, undefined];
  own = new OwnStreams(watchedLog(), 'ours.');
  watch = new LagWatch(own, new ManualClock());
  watch.reached(await append('unit', 1));
});
afterEach(() => world.close());

const nothingWaits = { lag: 0, age_ms: 0, stalled: false };

describe("counting own events that wait among others' events", () => {
  it('is shared by all who ask meanwhile, and reads each event once', async () => {
    await appendForeign(FOREIGN);
    const probes = await Promise.all(Array.from({ length: 5 }, () => watch.state()));
    expect(probes).toEqual(Array(5).fill(nothingWaits));
    expect([begins.length, new Set(begins).size, mostAtOnce]).toEqual([READS, READS, 1]);
  });

  it('ends after 50,000 events and says that it does not know how many wait', async () => {
    const [theirs] = await world.log.readAll({ limit: 1 });
    let looked = 0;
    const endless = {
      head: () => Promise.resolve(1_000_000n),
      readAll: ({ after = 0n, limit, scan }: ReadAllOptions) => {
        looked += limit;
        scan?.upTo(after + BigInt(limit));
        const at = (number: number) => ({
          ...theirs!,
          stream: 'foreign',
          position: after + BigInt(number) + 1n,
        });
        return Promise.resolve(Array.from({ length: limit }, (_, number) => at(number)));
      },
    };
    const store = new OwnStreams(endless as unknown as EventStore, 'ours.');
    const asking = new LagWatch(store, new ManualClock()).state();
    expect(await asking).toMatchObject({
      lag: null,
      age_ms: null,
      stalled: true,
      detail: expect.stringContaining('More than 50000 events of the log are still to be read'),
    });
    expect(looked).toBe(50_000);
  });

  it('counts own events before and behind those of others, up to a thousand', async () => {
    await appendForeign(2_500);
    await append('unit', 700);
    await appendForeign(2_500);
    expect(await watch.state()).toMatchObject({ lag: 700 });
    await append('unit', 700);
    expect(await watch.state()).toMatchObject({ lag: 1_000 });
  });

  it('counts events that are stored after the last count', async () => {
    await appendForeign(FOREIGN);
    await watch.state();
    watch.reached(await append('unit', 1));
    expect(await watch.state()).toEqual(nothingWaits);
    await appendForeign(1);
    await append('unit', 2);
    expect(await watch.state()).toMatchObject({ lag: 2 });
  });
});

describe('a log that was put back', () => {
  it('and ends before the last handled event is reported as a lost position', async () => {
    endsAt = watch.position! - 1n;
    await expect(watch.state()).rejects.toThrow(PositionLostError);
  });
});
