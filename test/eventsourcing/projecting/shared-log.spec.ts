import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { randomUUID } from 'node:crypto';
import { silentLogger } from '#kernel/logger.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { CheckpointKeeper } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { CatchUp } from '#eventsourcing/projecting/catch-up.js';
import { SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import { MemoryDocumentStore } from '../../campaigns/simulation/stores/memory-document-store.js';
import { bench, type Bench, closeBenches, storeOn } from '../../stores/eventstoredb/fixture.js';
import { CounterProjector } from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

const PREFIX = 'ours.';
const A = 'counter-a';
const FOREIGN = 3_000;
/** The server tells how far it has searched once it has searched so many events. */
const WINDOW = 32;
const NOTHING_WAITS = { lag: 0, age_ms: 0, stalled: false };

let on: Bench;
let clock: ManualClock;
let views: MemoryDocumentStore;
/** As the service sees it. */
let own: EventStore;
/** Events of whomever that its reads looked at. */
let looked: number;
/** Where its subscriptions began. */
let begins: (bigint | undefined)[];
let counters: CounterProjector;
const runners: CatchUp[] = [];

/** A process of the service that has just been started; one at a time has a connection. */
async function connect(): Promise<void> {
  await on?.store.close();
  const { double } = on;
  on = { double, ...storeOn(double.url(), { streamPrefix: PREFIX }) };
  const { store } = on;
  own = new OwnStreams(
    withMembers<EventStore>(store, {
      readAll: async (options) => {
        const events = await store.readAll(options);
        looked += events.length;
        return events;
      },
      subscribe: (after, handler) => {
        begins.push(after);
        return store.subscribe(after, handler);
      },
    }),
    PREFIX,
  );
}

function newRunner(): CatchUp {
  counters = new CounterProjector();
  const ports = { store: own, damaged: new DamagedStreams(), views, clock, logger: silentLogger };
  const runner = new CatchUp(ports, [counters]);
  runners.push(runner);
  return runner;
}

async function start(): Promise<CatchUp> {
  await connect();
  const runner = newRunner();
  await runner.start();
  return runner;
}

const counted = (by = '1') => ({
  id: randomUUID(),
  type: 'Counted',
  contentType: 'application/json',
  data: Buffer.from(`{"by":${by}}`),
  metadata: Buffer.from('{"schema":1,"occurred_at":"2026-01-01T00:00:00.000Z"}'),
});

/** By another process of the service. */
const writeOwn = (stream = A) => void on.double.log.append(PREFIX + stream, 'any', [counted()]);

const writeForeign = (count: number, by?: string) => {
  for (let number = 0; number < count; number += 1) on.double.log.append('theirs', 'any', [counted(by)]);
};

const savedPosition = () => new CheckpointKeeper(views, clock).read();

/** Within what the server searches before it says how far it is. */
async function savedNearTheEnd(): Promise<bigint> {
  const { events } = on.double.log;
  const near = (events.at(-WINDOW - 2) ?? events.at(-1)!).position;
  await waitUntil(async () => {
    clock.advance(1_000);
    return ((await savedPosition()) ?? 0n) >= near;
  });
  return (await savedPosition())!;
}

beforeEach(async () => {
  on = await bench();
  clock = new ManualClock();
  views = new MemoryDocumentStore(clock);
  [looked, begins] = [0, []];
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await closeBenches();
});

describe('a log that is shared with others', () => {
  it.each([
    ['before the start', true],
    ['while it is followed', false],
  ])("reads none of others' events that came %s: the server passes over them", async (_, before) => {
    writeOwn();
    if (before) writeForeign(FOREIGN);
    const leader = await start();
    if (!before) writeForeign(FOREIGN);
    const saved = await savedNearTheEnd();
    const standby = newRunner();
    looked = 0;
    expect([await leader.state(), await standby.state()]).toEqual([NOTHING_WAITS, NOTHING_WAITS]);
    const tail = new SharedLogTail(own, clock, () => Promise.resolve(saved));
    const shown = ['counter-b', A].map((stream) => ({
      stream,
      snapshot: { revision: 0, state: undefined, last_hash: '', last_at: 0 },
      shownUpTo: saved,
    }));
    expect(await tail.movedOn(shown)).toEqual([]);
    // The server's own count, too.
    expect(looked).toBeLessThanOrEqual(3 * (WINDOW + 1));
  });

  it('is followed by the next process from behind the events of others, and no event of ours is lost', async () => {
    writeOwn();
    const first = await start();
    writeForeign(FOREIGN);
    const saved = await savedNearTheEnd();
    await first.stop();
    writeOwn();
    await start();
    expect(begins).toEqual([undefined, saved]);
    expect(counters.totals()).toEqual({ [A]: 2 });
    expect(counters.projected).toEqual([`${A} 1-1`]);
  });

  it('moves the checkpoint behind events of others before there is an event of ours', async () => {
    writeForeign(FOREIGN);
    const first = await start();
    writeForeign(FOREIGN);
    const saved = await savedNearTheEnd();
    await first.stop();
    await start();
    expect(begins).toEqual([undefined, saved]);
    writeOwn();
    await waitUntil(() => counters.totals()[A] === 1);
    expect(counters.totals()).toEqual({ [A]: 1 });
  });

  it('loses no event of ours when the server tells the place of the next event as its checkpoint', async () => {
    on.double.faults.tellsEndAsCheckpoint = true;
    writeForeign(FOREIGN);
    const first = await start();
    await savedNearTheEnd();
    expect(await first.state()).toEqual(NOTHING_WAITS);
    await first.stop();
    expect(on.double.log.events.map(({ position }) => position)).toContain(await savedPosition());
    const next = await start();
    writeOwn();
    await waitUntil(() => counters.totals()[A] === 1);
    expect(await next.state()).toEqual(NOTHING_WAITS);
  });

  it('keeps the checkpoint before an append of ours until all its events have come', async () => {
    const writePart = (n: number) => {
      const metadata = { schema: 1, occurred_at: '2026-01-01T00:00:00.000Z', part: { n, of: 2 } };
      const event = { ...counted(), metadata: Buffer.from(JSON.stringify(metadata)) };
      on.double.log.append(PREFIX + A, 'any', [event]);
    };
    writeOwn();
    const runner = await start();
    await savedNearTheEnd();
    const before = await savedPosition();
    writePart(1);
    writeForeign(FOREIGN);
    writeOwn('counter-b');
    await waitUntil(() => counters.totals()['counter-b'] === 1);
    await runner.stop();
    expect(await savedPosition()).toBe(before);
    const next = await start();
    writePart(2);
    await waitUntil(() => counters.totals()[A] === 3);
    await savedNearTheEnd();
    expect(await next.state()).toEqual(NOTHING_WAITS);
  });
});

/** An older log, that holds all that is ours and a few of theirs, and then what came since. */
async function putBack(since: number): Promise<void> {
  const { events } = on.double.log;
  const kept = events.filter(({ type }) => type === 'Counted').slice(0, 6);
  await on.double.kill();
  on.double.replaceLog();
  for (const event of kept) on.double.log.append(event.stream, 'any', [event]);
  writeOwn();
  // Of another size, so that they stand elsewhere.
  writeForeign(since, '1000');
  await on.double.restart();
}

describe("an older log that was put back and lacks only others' events", () => {
  /** With how many of others' events it came back. */
  const OTHER_LENGTHS = [
    ['shorter than where the checkpoint stands', 5],
    ['longer, with other events where the checkpoint stands', FOREIGN],
  ] as const;

  it.each(OTHER_LENGTHS)('%s, is followed from the last of ours by the next process', async (_, since) => {
    writeOwn();
    const first = await start();
    writeForeign(FOREIGN / 2);
    await savedNearTheEnd();
    await first.stop();
    await on.store.close();
    await putBack(since);
    const next = await start();
    expect(counters.totals()).toEqual({ [A]: 2 });
    expect(await next.state()).toEqual(NOTHING_WAITS);
    await savedNearTheEnd();
  });

  it.each(OTHER_LENGTHS)(
    '%s, is followed from the last of ours by the process that followed the newer one',
    async (_, since) => {
      writeOwn();
      const runner = await start();
      writeForeign(FOREIGN / 2);
      await savedNearTheEnd();
      await putBack(since);
      await waitUntil(() => {
        clock.advance(1_000);
        return counters.totals()[A] === 2;
      });
      await savedNearTheEnd();
      expect(await runner.state()).toEqual(NOTHING_WAITS);
    },
  );
});
