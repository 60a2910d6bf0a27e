import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { runParts } from '../../support/command-runner.js';
import { randomUUID } from 'node:crypto';
import { silentLogger } from '#kernel/logger.js';
import { CheckpointKeeper } from '#eventsourcing/projecting/checkpoint-keeper.js';
import type { EventStore, Subscription, SubscriptionHandler } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import { CatchUp } from '#eventsourcing/projecting/catch-up.js';
import {
  command,
  count,
  CounterProjector,
  type CounterWorld,
  openCounterWorld,
  parts,
  writing,
} from '../../support/counter-world.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';

const A = 'counter-a';
const B = 'counter-b';
const SECOND = 1_000;

let world: CounterWorld;
/** The runners' own: nothing else waits on it. */
let clock: ManualClock;
const runners: CatchUp[] = [];

beforeEach(async () => {
  world = await openCounterWorld();
  clock = new ManualClock();
  // Every event is old enough to be looked at.
  clock.advance(SECOND);
});
afterEach(async () => {
  for (const runner of runners.splice(0)) await runner.stop();
  await world.close();
  expect(clock.pending).toBe(0);
});

/** Writes as a request of this process would: applied inline. */
const write = (stream: string, by = 1) =>
  runParts(world.writer, writing(world.counters), parts([stream], count(by)), command());

/** A runner with views of its own: the one of a process that has just been started. */
function runnerOf(
  counters: CounterProjector,
  store: EventStore = world.log,
  log: (details: object, line: string) => void = () => undefined,
) {
  const { views } = world;
  const logger = { ...silentLogger, info: log, error: log };
  const runner = new CatchUp({ store, damaged: new DamagedStreams(), views, clock, logger }, [counters]);
  runners.push(runner);
  return runner;
}

/** Events as a rival writes them, without their cost. */
async function appendMany(count: number): Promise<void> {
  await world.rival()(A, 1);
  const [first] = await world.log.readStream(A);
  const events = Array.from({ length: count }, () => ({ ...first!, id: randomUUID() }));
  await world.log.append([{ stream: A, expected: 0, events }]);
}

/** A log that can be replaced by another under who follows it. */
class ReplaceableLog implements EventStore {
  #subscription: { handler: SubscriptionHandler; inner: Subscription } | undefined;

  constructor(private current: EventStore) {}

  replaceWith(other: EventStore, error?: Error): void {
    this.current = other;
    const { handler, inner } = this.#subscription!;
    if (error !== undefined) void inner.stop().then(() => handler.failed?.(error));
  }

  append(...parts: Parameters<EventStore['append']>) {
    return this.current.append(...parts);
  }

  readStream(...parts: Parameters<EventStore['readStream']>) {
    return this.current.readStream(...parts);
  }

  readAll(options: Parameters<EventStore['readAll']>[0]) {
    return this.current.readAll(options);
  }

  head() {
    return this.current.head();
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    const inner = this.current.subscribe(after, handler);
    this.#subscription = { handler, inner };
    return inner;
  }

  ping() {
    return this.current.ping();
  }

  close() {
    return this.current.close();
  }
}

/** Waits until a counter stands where it should. */
async function expectTotal(counters: CounterProjector, stream: string, total: number): Promise<void> {
  const seen = await waitUntil(
    () => counters.totals(),
    (totals) => totals[stream] === total,
  );
  expect(seen[stream]).toBe(total);
}

const checkpoint = () => new CheckpointKeeper(world.views, clock).read();

const head = async () => (await world.log.readAll({ limit: 10_000 })).at(-1)!.position;

describe('the catch-up', () => {
  it('of an empty log ends at once and saves no checkpoint', async () => {
    const runner = runnerOf(new CounterProjector());
    await runner.start();
    expect(await checkpoint()).toBeUndefined();
  });

  it('applies the whole log to empty views before its start resolves', async () => {
    for (let number = 0; number < 300; number += 1) await write(A);
    await write(B, 7);
    const fresh = new CounterProjector();
    const runner = runnerOf(fresh);
    await runner.start();
    expect(fresh.totals()).toEqual({ [A]: 300, [B]: 7 });
    await runner.stop();
    expect(await checkpoint()).toBe(await head());
  });

  it('applies what other processes write while it runs', async () => {
    const fresh = new CounterProjector();
    await runnerOf(fresh).start();
    await world.rival()(A, 3);
    await expectTotal(fresh, A, 3);
    await world.rival()(A, 4);
    await expectTotal(fresh, A, 7);
  });

  it('does not apply again what this process has applied inline', async () => {
    // No event is old enough yet: the runner must not come before the writes.
    clock = new ManualClock();
    await runnerOf(world.counters).start();
    await write(A);
    await write(A);
    await world.rival()(B, 5);
    clock.advance(SECOND);
    await expectTotal(world.counters, B, 5);
    expect(world.counters.projected).toEqual([`${A} 0-0`, `${A} 1-1`, `${B} 0-0`]);
    expect(world.counters.totals()).toEqual({ [A]: 2, [B]: 5 });
  });

  it('applies an event whose inline write to the views failed', async () => {
    await runnerOf(world.counters).start();
    world.counters.failures = 1;
    await expect(write(A, 2)).rejects.toThrow('The views are down');
    await expectTotal(world.counters, A, 2);
  });

  it('changes nothing in views that are ahead of the checkpoint', async () => {
    await write(A);
    await write(A);
    const runner = runnerOf(world.counters);
    await runner.start();
    expect(world.counters.totals()).toEqual({ [A]: 2 });
    await write(A);
    await waitUntil(async () => (await runner.state()).lag === 0);
    expect(world.counters.projected).toEqual([`${A} 0-0`, `${A} 1-1`, `${A} 2-2`]);
  });

  it.each([
    ['shorter', 1],
    ['other', 2],
  ])('is refused where the log is a %s one than the views were made from', async (_, events) => {
    await write(A);
    await write(A);
    const first = runnerOf(new CounterProjector());
    await first.start();
    await first.stop();
    const other = await openCounterWorld();
    for (let number = 0; number < events; number += 1) {
      await runParts(other.writer, writing(other.counters), parts([A], count(1)), command());
    }
    await expect(runnerOf(new CounterProjector(), other.log).start()).rejects.toMatchObject({
      code: 'views_of_another_log',
      message:
        'The views hold event 1 of counter-a, but the log does not. Restore the log of these views. ' +
        'If this log is right, run storage-access views rebuild.',
    });
    await other.close();
  });

  it('reads the whole stream when its view lacks earlier events', async () => {
    await write(A, 1);
    const known = world.counters.folds.get(A)!;
    await write(A, 2);
    await write(A, 4);
    const first = runnerOf(new CounterProjector());
    await first.start();
    await first.stop();
    await write(A, 8);
    // Views that have lost two events, and a checkpoint behind which they lie.
    const behind = new CounterProjector();
    behind.folds.set(A, known);
    await runnerOf(behind).start();
    expect(behind.totals()).toEqual({ [A]: 15 });
  });

  it('passes over streams of other kinds', async () => {
    await write(A, 1);
    await world.log.append([
      {
        stream: 'other-a',
        expected: 'no_stream',
        events: [{ id: '8c5d1a1e-0000-4000-8000-000000000001', type: 'X', data: {}, metadata: {} }],
      },
    ]);
    const runner = runnerOf(world.counters);
    await runner.start();
    await runner.stop();
    expect(Object.keys(world.counters.totals())).toEqual([A]);
    expect(await checkpoint()).toBe(await head());
  });

  it('rejects its start and saves no checkpoint when the views fail', async () => {
    await write(A);
    const broken = new CounterProjector();
    broken.failures = 1;
    const runner = runnerOf(broken);
    await expect(runner.start()).rejects.toThrow('The views are down');
    expect(await checkpoint()).toBeUndefined();
  });
});

describe('the checkpoint', () => {
  it('is where the next start begins', async () => {
    await write(A, 1);
    const first = runnerOf(new CounterProjector());
    await first.start();
    await first.stop();
    await write(B, 2);
    const next = new CounterProjector();
    await runnerOf(next).start();
    expect(next.totals()).toEqual({ [B]: 2 });
  });

  it('follows each handled event within a second', async () => {
    const runner = runnerOf(world.counters);
    await runner.start();
    for (let number = 0; number < 3; number += 1) {
      await write(A);
      await waitUntil(async () => (await runner.state()).lag === 0);
      clock.advance(SECOND);
      const position = await head();
      expect(await waitUntil(checkpoint, (saved) => saved === position)).toBe(position);
    }
  });

  it('never passes an event that could not be applied', async () => {
    const runner = runnerOf(world.counters);
    await runner.start();
    await write(A);
    await runner.stop();
    const before = await checkpoint();
    await world.rival()(A, 5);
    world.counters.failures = 100;
    const second = runnerOf(world.counters);
    await expect(second.start()).rejects.toThrow('The views are down');
    await second.stop();
    expect(await checkpoint()).toBe(before);
    world.counters.failures = 0;
    await runnerOf(world.counters).start();
    expect(world.counters.totals()).toEqual({ [A]: 6 });
  });
});

describe('a process that stands by', () => {
  it('applies what is stored by now and does not move the checkpoint', async () => {
    await appendMany(2_500);
    const counters = new CounterProjector();
    await runnerOf(counters).catchUp();
    expect(counters.totals()).toEqual({ [A]: 2_501 });
    expect(await checkpoint()).toBeUndefined();
  });

  it('applies only events behind the checkpoint', async () => {
    await write(A, 1);
    const keeper = runnerOf(new CounterProjector());
    await keeper.start();
    await keeper.stop();
    await write(B, 2);
    const counters = new CounterProjector();
    await runnerOf(counters).catchUp();
    expect(counters.totals()).toEqual({ [B]: 2 });
  });
});

describe('how far the views are', () => {
  it('is stalled once events have waited for 30 s and none was handled', async () => {
    const runner = runnerOf(world.counters);
    await runner.start();
    world.counters.failures = 1_000;
    clock.advance(60 * SECOND);
    expect(await runner.state()).toEqual({ lag: 0, age_ms: 0, stalled: false });
    await world.rival()(A, 5);
    const [waiting] = await world.log.readStream(A);
    const writtenAt = Date.parse(waiting!.metadata['occurred_at'] as string);
    clock.advance(writtenAt + 29 * SECOND - clock.now());
    expect(await runner.state()).toEqual({ lag: 1, age_ms: 29 * SECOND, stalled: false });
    clock.advance(2 * SECOND);
    expect(await runner.state()).toEqual({ lag: 1, age_ms: 31 * SECOND, stalled: true });
    world.counters.failures = 0;
    clock.advance(10 * SECOND);
    await expectTotal(world.counters, A, 5);
    expect(await runner.state()).toEqual({ lag: 0, age_ms: 0, stalled: false });
  });

  it('is known to a process that stands by, too', async () => {
    const standby = runnerOf(world.counters);
    await standby.catchUp();
    await world.rival()(A, 5);
    clock.advance(Math.max(0, Date.now() - clock.now()) + 31 * SECOND);
    expect(await standby.state()).toMatchObject({ lag: 1, stalled: true });
  });

  it.each([
    ['by the store', true],
    ['by the event at the last position', false],
  ])(
    'is unknown while the log is replaced by another, seen %s, and that is logged once',
    async (_, refused) => {
      await write(A);
      const log = new ReplaceableLog(world.log);
      const lines: string[] = [];
      const runner = runnerOf(new CounterProjector(), log, (_details, line) => lines.push(line));
      await runner.start();
      const other = await openCounterWorld();
      log.replaceWith(other.log, refused ? new PositionLostError(1n) : new Error('cut off'));
      for (let round = 0; round < 3; round += 1) {
        await waitUntil(() => clock.pending === 1);
        clock.advance(10 * SECOND);
      }
      expect(
        await waitUntil(
          () => runner.state(),
          ({ stalled }) => stalled,
        ),
      ).toEqual({ lag: null, age_ms: null, stalled: true });
      expect(lines.filter((line) => line.startsWith('The views hold event 0 of counter-a'))).toHaveLength(1);
      log.replaceWith(world.log);
      await waitUntil(() => clock.pending === 1);
      clock.advance(10 * SECOND);
      expect(
        await waitUntil(
          () => runner.state(),
          ({ stalled }) => !stalled,
        ),
      ).toEqual({ lag: 0, age_ms: 0, stalled: false });
      await runner.stop();
      await other.close();
    },
  );
});

describe('a runner that was interrupted', () => {
  it('tries again after growing pauses until the views answer, and loses no event', async () => {
    const runner = runnerOf(world.counters);
    await runner.start();
    let subscriptions = 0;
    const failures = () => world.counters.failures;
    world.counters.failures = 4;
    await world.rival()(A, 5);
    for (const pause of [100, 200, 400, 800]) {
      await waitUntil(() => clock.pending === 1 && failures() === 3 - subscriptions);
      clock.advance(pause - 1);
      expect(clock.pending).toBe(1);
      clock.advance(1);
      subscriptions += 1;
    }
    await expectTotal(world.counters, A, 5);
    await world.rival()(B, 1);
    await expectTotal(world.counters, B, 1);
  });

  it('pauses for ten seconds at most, and briefly again once it has caught up', async () => {
    await runnerOf(world.counters).start();
    world.counters.failures = 12;
    await world.rival()(A, 5);
    for (let failed = 1; failed <= 12; failed += 1) {
      await waitUntil(() => clock.pending === 1 && world.counters.failures === 12 - failed);
      clock.advance(10_000);
    }
    await expectTotal(world.counters, A, 5);
    clock.advance(10_000);
    world.counters.failures = 1;
    await world.rival()(A, 5);
    await waitUntil(() => world.counters.failures === 0 && clock.pending >= 1);
    clock.advance(100);
    await expectTotal(world.counters, A, 10);
  });

  it('does not try again once it was stopped', async () => {
    const runner = runnerOf(world.counters);
    await runner.start();
    world.counters.failures = 100;
    await world.rival()(A, 5);
    await waitUntil(() => clock.pending === 1);
    await runner.stop();
    expect(clock.pending).toBe(0);
  });
});
