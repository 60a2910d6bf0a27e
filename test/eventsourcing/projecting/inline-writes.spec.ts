import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { silentLogger } from '#kernel/logger.js';
import type { EventStore, RecordedEvent, SubscriptionHandler } from '#eventsourcing/log/event-store.js';
import { CheckpointKeeper } from '#eventsourcing/projecting/checkpoint-keeper.js';
import { CatchUp } from '#eventsourcing/projecting/catch-up.js';
import {
  command,
  type CounterDecide,
  CounterProjector,
  type CounterWorld,
  openCounterWorld,
  parts,
  withTimePassing,
  writing,
} from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import { commandRunnerOn, runParts } from '../../support/command-runner.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';

/** Other processes write, and no checkpoint is known. */
const nowhere = () => Promise.resolve(undefined);

const A = 'counter-a';
const B = 'counter-b';

let world: CounterWorld;
let clock: ManualClock;
let runner: CatchUp | undefined;

beforeEach(async () => {
  world = await openCounterWorld();
  clock = new ManualClock();
});
afterEach(async () => {
  await runner?.stop();
  await world.close();
  expect(clock.pending).toBe(0);
});

async function follow(counters: CounterProjector, store: EventStore = world.log): Promise<void> {
  const ports = { store, damaged: new DamagedStreams(), views: world.views, clock, logger: silentLogger };
  runner = new CatchUp(ports, [counters]);
  await runner.start();
}

/** Each look lets a second pass. */
const caughtUp = () =>
  waitUntil(
    () => {
      clock.advance(1_000);
      return runner!.state();
    },
    ({ lag }) => lag === 0,
  );
const numbered = (amount: number) => Array.from({ length: amount }, (_, number) => `counter-${number}`);
/** Two events of one append: a total that is odd was never there. */
const twice: CounterDecide = () => ({
  events: [1, 1].map((by) => ({ type: 'Counted', data: { by } }) as const),
  result: '',
});

describe('the catch-up beside inline writes', () => {
  const write = (streams: string[]) =>
    runParts(world.writer, writing(world.counters), parts(streams, twice), command());

  it.each([
    [
      'one after another',
      async () => {
        for (let number = 0; number < 20; number += 1) await write([A]);
        return 20;
      },
    ],
    [
      '500 in a bulk, twice',
      async () => {
        await write(numbered(500));
        await write(numbered(500));
        return 1000;
      },
    ],
    [
      '64 at once',
      async () => {
        await Promise.all(numbered(64).map((stream) => write([stream])));
        return 64;
      },
    ],
  ])('projects no inline write a second time (%s)', async (_, work) => {
    await follow(world.counters);
    const written = await work();
    await caughtUp();
    expect(world.counters.projected).toHaveLength(written);
  });

  it('projects an event whose views failed one second after it came, and not before', async () => {
    await follow(world.counters);
    world.counters.failures = 1;
    await expect(write([A])).rejects.toThrow('The views are down');
    await waitUntil(() => clock.pending === 1);
    clock.advance(999);
    expect(clock.pending).toBe(1);
    expect(world.counters.totals()).toEqual({});
    clock.advance(1);
    await waitUntil(
      () => world.counters.totals(),
      (totals) => totals[A] === 2,
    );
    expect(world.counters.totals()).toEqual({ [A]: 2 });
  });

  it('stops at once while an event waits for its second, and the next start projects it', async () => {
    await follow(world.counters);
    world.counters.failures = 1;
    await expect(write([A])).rejects.toThrow('The views are down');
    await waitUntil(() => clock.pending === 1);
    await runner!.stop();
    expect(world.counters.totals()).toEqual({});
    await follow(world.counters);
    expect(world.counters.totals()).toEqual({ [A]: 2 });
  });

  it('projects an event whose inline write to the views failed', async () => {
    await follow(world.counters);
    world.counters.failures = 1;
    await expect(write([A])).rejects.toThrow('The views are down');
    await caughtUp();
    expect(world.counters.totals()).toEqual({ [A]: 2 });
  });
});

/** The log as a subscriber sees it whose events come one by one, when the test says so. */
function oneByOne() {
  let handler: SubscriptionHandler | undefined;
  const subscribe: EventStore['subscribe'] = (_after, subscriber) => {
    handler = subscriber;
    queueMicrotask(() => subscriber.caughtUp?.());
    return { stop: () => Promise.resolve() };
  };
  const store = withMembers<EventStore>(world.log, { subscribe });
  return { store, deliver: (event: RecordedEvent) => handler!.handle([event]) };
}

describe('an append of another process whose events arrive one by one', () => {
  /** By a process of its own: nothing of it was applied here. */
  async function appended(...streams: string[]): Promise<RecordedEvent[]> {
    const rival = writing(new CounterProjector());
    await runParts(commandRunnerOn(world.log, clock), rival, parts(streams, twice), command());
    return world.log.readAll({ limit: 100 });
  }
  const checkpoint = () => new CheckpointKeeper(world.views, clock).read();

  it('is shown whole or not at all, and the checkpoint stays before it until then', async () => {
    const [a1, a2, b1, b2] = (await appended(A, B)) as [
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
    ];
    const seen = new CounterProjector();
    const { store, deliver } = oneByOne();
    await follow(seen, store);
    const shown: [RecordedEvent, object][] = [
      [a1, {}],
      [b1, {}],
      [b2, { [B]: 2 }],
      [a2, { [A]: 2, [B]: 2 }],
    ];
    for (const [event, totals] of shown) {
      await withTimePassing(clock, deliver(event));
      clock.advance(1_000);
      await runner!.state();
      expect(seen.totals()).toEqual(totals);
      if (event !== a2) expect(await checkpoint()).toBeUndefined();
    }
    expect(seen.projected).toEqual([`${B} 0-1`, `${A} 0-1`]);
    await runner!.stop();
    expect(await checkpoint()).toBe(a2.position);
  });

  it('is projected whole when the deliveries begin in its middle', async () => {
    const [, second] = await appended(A);
    const seen = new CounterProjector();
    const { store, deliver } = oneByOne();
    await follow(seen, store);
    await withTimePassing(clock, deliver(second!));
    expect([seen.projected, seen.totals()]).toEqual([[`${A} 0-1`], { [A]: 2 }]);
  });

  it('is left out of the state of its stream until all its events are there', async () => {
    await appended(A);
    const half = withMembers<EventStore>(world.log, {
      readStream: async (stream, options) => (await world.log.readStream(stream, options)).slice(0, 1),
    });
    const nothing: CounterDecide = (state) => ({ events: [], result: `was ${state?.total ?? 'nothing'}` });
    const reader = commandRunnerOn(half, clock, { tail: new SharedLogTail(half, clock, nowhere) });
    const seen = new CounterProjector();
    const [outcome] = await runParts(reader, writing(seen), parts([A], nothing), command());
    expect([outcome, seen.totals()]).toMatchObject([{ result: 'was nothing', changed: false }, {}]);
  });
});
