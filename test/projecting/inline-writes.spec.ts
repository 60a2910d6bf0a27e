import { silentLogger } from '../../src/config/logger.js';
import type { EventStore, RecordedEvent, SubscriptionHandler } from '../../src/log/event-store.js';
import { CheckpointKeeper } from '../../src/projecting/checkpoint-keeper.js';
import { ProjectionRunner } from '../../src/projecting/projection-runner.js';
import { ProjectionsInFlight } from '../../src/writing/projections-in-flight.js';
import {
  command,
  type CounterDecide,
  CounterProjection,
  type CounterWorld,
  openCounterWorld,
  parts,
  writing,
} from '../support/counter-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { streamWriterOn } from '../support/stream-writer.js';
import { waitUntil } from '../support/wait-until.js';
import { withMembers } from '../support/with-members.js';

const A = 'counter-a';
const B = 'counter-b';

let world: CounterWorld;
let clock: ManualClock;
let runner: ProjectionRunner | undefined;

beforeEach(async () => {
  world = await openCounterWorld();
  clock = new ManualClock();
});
afterEach(async () => {
  await runner?.stop();
  await world.close();
  expect(clock.pending).toBe(0);
});

async function follow(counters: CounterProjection, store: EventStore = world.log): Promise<void> {
  const inFlight = counters === world.counters ? world.inFlight : new ProjectionsInFlight(clock);
  const ports = { store, views: world.views, clock, logger: silentLogger, inFlight };
  runner = new ProjectionRunner(ports, [counters]);
  await runner.start();
}

const caughtUp = () =>
  waitUntil(
    () => runner!.state(),
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
    world.writer.write(writing(world.counters), parts(streams, twice), command());

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
  ])('projects none of them a second time (%s)', async (_, work) => {
    await follow(world.counters);
    const written = await work();
    await caughtUp();
    expect(world.counters.projected).toHaveLength(written);
  });

  it('projects at once what an inline write could not', async () => {
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
    const rival = writing(new CounterProjection());
    await streamWriterOn(world.log, clock).write(rival, parts(streams, twice), command());
    return world.log.readAll({ limit: 100 });
  }
  const checkpoint = () => new CheckpointKeeper(world.views, clock).read();

  it('is seen whole or not at all, and the checkpoint stays before it until then', async () => {
    const [a1, a2, b1, b2] = (await appended(A, B)) as [
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
      RecordedEvent,
    ];
    const seen = new CounterProjection();
    const { store, deliver } = oneByOne();
    await follow(seen, store);
    const shown: [RecordedEvent, object][] = [
      [a1, {}],
      [b1, {}],
      [b2, { [B]: 2 }],
      [a2, { [A]: 2, [B]: 2 }],
    ];
    for (const [event, totals] of shown) {
      await deliver(event);
      clock.advance(1_000);
      await runner!.state();
      expect(seen.totals()).toEqual(totals);
      if (event !== a2) expect(await checkpoint()).toBeUndefined();
    }
    expect(seen.projected).toEqual([`${B} 0-1`, `${A} 0-1`]);
    await runner!.stop();
    expect(await checkpoint()).toBe(a2.position);
  });

  it('is projected whole where the deliveries begin in its middle', async () => {
    const [, second] = await appended(A);
    const seen = new CounterProjection();
    const { store, deliver } = oneByOne();
    await follow(seen, store);
    await deliver(second!);
    expect([seen.projected, seen.totals()]).toEqual([[`${A} 0-1`], { [A]: 2 }]);
  });

  it('is left out by who folds the stream, as long as not all of it is there', async () => {
    await appended(A);
    const half = withMembers<EventStore>(world.log, {
      readStream: async (stream, options) => (await world.log.readStream(stream, options)).slice(0, 1),
    });
    const nothing: CounterDecide = (state) => ({ events: [], result: `was ${state?.total ?? 'nothing'}` });
    const reader = streamWriterOn(half, clock, { singleProcess: false });
    const seen = new CounterProjection();
    const [outcome] = await reader.write(writing(seen), parts([A], nothing), command());
    expect([outcome, seen.totals()]).toMatchObject([{ result: 'was nothing', changed: false }, {}]);
  });
});

describe('an inline projection that never ends', () => {
  it('is waited for as long as a request may take, named, and done by the catch-up', async () => {
    const hung: string[] = [];
    const inFlight = new ProjectionsInFlight(clock, (append) => hung.push(append));
    inFlight.follow(true);
    inFlight.announce(A, 0);
    await world.rival()(A, 1);
    const [event] = await world.log.readStream(A);
    const applied = inFlight.hasApplied(event!);
    clock.advance(10_000);
    expect([await applied, hung]).toEqual([false, [`0@${A}`]]);
  });
});

describe('what was applied inline', () => {
  it.each([
    ['is remembered for a catch-up that follows', true],
    ['is forgotten at once where none does', false],
  ])('%s', async (_, followed) => {
    const inFlight = new ProjectionsInFlight(clock);
    inFlight.follow(followed);
    await world.rival()(A, 1);
    const [event] = await world.log.readStream(A);
    inFlight.announce(A, 0).settle(true);
    expect(await inFlight.hasApplied(event!)).toBe(followed);
  });
});
