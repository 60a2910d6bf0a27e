import { randomUUID } from 'node:crypto';
import type { EventStore, NewEvent } from '../../src/log/event-store.js';
import { PositionLostError } from '../../src/log/event-store.errors.js';
import { OwnStreams } from '../../src/log/own-streams.js';
import { LagWatch } from '../../src/projecting/lag-watch.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import { type CounterWorld, openCounterWorld } from '../support/counter-world.js';
import { ManualClock } from '../support/manual-clock.js';

const FOREIGN = 5_500;
/** Reads of a thousand in which all of them can be passed. */
const READS = 6;

const event = (): NewEvent => ({ id: randomUUID(), type: 'X', data: {}, metadata: {} });

let world: CounterWorld;
let own: EventStore;
let watch: LagWatch;
/** Of the log itself: where each read began, how many run, and what is done at each. */
let begins: bigint[];
let running: number;
let mostAtOnce: number;
let atRead: (number: number) => void;
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
  const log = Object.create(world.log) as EventStore;
  log.head = async () => endsAt ?? (await world.log.head());
  log.readAll = async (options) => {
    const { after = 0n } = options;
    begins.push(after);
    running += 1;
    mostAtOnce = Math.max(mostAtOnce, running);
    await new Promise(setImmediate);
    running -= 1;
    atRead(begins.length);
    if (endsAt !== undefined && after > endsAt) throw new PositionLostError(after);
    const events = await world.log.readAll(options);
    return events.filter(({ position }) => endsAt === undefined || position <= endsAt);
  };
  return log;
}

beforeEach(async () => {
  world = await openCounterWorld();
  [begins, running, mostAtOnce, endsAt] = [[], 0, 0, undefined];
  atRead = () => undefined;
  own = new OwnStreams(watchedLog(), 'ours.');
  watch = new LagWatch(own, new ManualClock());
  watch.reached(await append('unit', 1));
});
afterEach(() => world.close());

const nothingWaits = { lag: 0, stalled: false };

describe("a look behind others' events", () => {
  it('is shared by all who ask meanwhile, and reads each once', async () => {
    await appendForeign(FOREIGN);
    const probes = await Promise.all(Array.from({ length: 5 }, () => watch.state()));
    expect(probes).toEqual(Array(5).fill(nothingWaits));
    expect([begins.length, new Set(begins).size, mostAtOnce]).toEqual([READS, READS, 1]);
    expect(await watch.state()).toEqual(nothingWaits);
    expect(begins).toHaveLength(READS);
  });

  it('goes on where one ended that was cut short', async () => {
    await appendForeign(FOREIGN);
    atRead = (number) => {
      if (number === 4) throw new StoreUnavailableError('Away, as the test wants it.', false);
    };
    await expect(watch.state()).rejects.toThrow('Away');
    expect(await watch.state()).toEqual(nothingWaits);
    // The one that failed alone is read again.
    expect([begins.length, new Set(begins).size]).toEqual([READS + 1, READS]);
  });

  it('finds and counts own events on whichever side they stand, up to a thousand', async () => {
    await appendForeign(2_500);
    await append('unit', 700);
    await appendForeign(2_500);
    expect(await watch.state()).toMatchObject({ lag: 700 });
    await append('unit', 700);
    expect(await watch.state()).toMatchObject({ lag: 1_000 });
  });

  it('sees what is stored after it', async () => {
    await appendForeign(FOREIGN);
    await watch.state();
    watch.reached(await append('unit', 1));
    expect(await watch.state()).toEqual(nothingWaits);
    await appendForeign(1);
    await append('unit', 2);
    expect(await watch.state()).toMatchObject({ lag: 2 });
  });

  it('does not keep its place where the views begin anew meanwhile', async () => {
    await appendForeign(FOREIGN);
    atRead = (number) => {
      if (number === 3) watch.reached(undefined);
    };
    await watch.state();
    expect(await watch.state()).toMatchObject({ lag: 1 });
  });
});

describe('a log that was put back and is shorter', () => {
  it('is looked through anew where it still holds what was handled', async () => {
    await appendForeign(FOREIGN);
    await watch.state();
    endsAt = watch.position! + 2_500n;
    expect(await watch.state()).toEqual(nothingWaits);
    expect(await watch.state()).toEqual(nothingWaits);
  });

  it('is told of where it does not', async () => {
    endsAt = watch.position! - 1n;
    await expect(watch.state()).rejects.toThrow(PositionLostError);
  });
});
