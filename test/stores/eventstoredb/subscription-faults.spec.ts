import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { EventStoreDbDouble, ProposedEvent } from '../../support/eventstoredb-double/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { waitUntil } from '../../support/wait-until.js';
import {
  bench,
  closeBenches,
  QUICK,
  QUICK_KEEP_ALIVE,
  silenceKeepAliveAdvice,
  startDouble,
  storeOn,
  type Bench,
} from './fixture.js';

/** Writes straight into the double's log: what the subscription does is then independent of appends. */
function write(double: EventStoreDbDouble, count: number, type = 'SampleHappened'): void {
  for (let number = 0; number < count; number += 1) {
    const event: ProposedEvent = {
      id: randomUUID(),
      type,
      contentType: 'application/json',
      data: Buffer.from('{"some":"data"}'),
      metadata: Buffer.from('{}'),
    };
    double.log.append(`s-${number % 7}`, 'any', [event]);
  }
}

interface Seen {
  readonly events: RecordedEvent[];
  readonly batches: number[];
  readonly failures: unknown[];
  readonly passed: bigint[];
  caughtUp: number;
  stop(): Promise<void>;
}

function follow(
  { store }: Bench,
  after?: bigint,
  during: () => Promise<void> = () => Promise.resolve(),
): Seen {
  const seen = {
    events: [] as RecordedEvent[],
    batches: [] as number[],
    failures: [] as unknown[],
    passed: [] as bigint[],
    caughtUp: 0,
  };
  const subscription = store.subscribe(after, {
    async handle(events) {
      await during();
      seen.events.push(...events);
      seen.batches.push(events.length);
    },
    passed: (position) => {
      seen.passed.push(position);
      return Promise.resolve();
    },
    caughtUp: () => (seen.caughtUp += 1),
    failed: (error) => seen.failures.push(error),
  });
  return Object.assign(seen, { stop: () => subscription.stop() });
}

async function failed(seen: Seen): Promise<unknown[]> {
  await waitUntil(() => seen.failures.length > 0);
  return seen.failures;
}

/** Everything, once, in order. */
async function expectEverything(double: EventStoreDbDouble, seen: Seen): Promise<void> {
  const ids = double.userEvents.map(({ id }) => id);
  await waitUntil(
    () => seen.events.length,
    (length) => length >= ids.length,
  );
  expect(seen.events.map(({ id }) => id)).toEqual(ids);
  expect(seen.failures).toEqual([]);
}

beforeEach(() => silenceKeepAliveAdvice());

afterEach(async () => {
  await closeBenches();
  jest.restoreAllMocks();
});

describe('subscriptions: interruptions are healed', () => {
  test('dropped by the server, again and again: no gap, no repeat, caught up once, one line each', async () => {
    const on = await bench();
    const seen = follow(on);
    for (let round = 0; round < 5; round += 1) {
      write(on.double, 20);
      await waitUntil(() => seen.events.length > round * 20);
      await waitUntil(() => on.double.subscriptionCount === 1);
      on.double.dropSubscriptions();
      write(on.double, 5);
    }
    await expectEverything(on.double, seen);
    expect(seen.caughtUp).toBe(1);
    expect(on.log.length).toBeGreaterThanOrEqual(5);
    expect(on.log[0]).toContain('subscribing again');
  });

  test('killed and started again', async () => {
    const on = await bench();
    const seen = follow(on);
    write(on.double, 10);
    await waitUntil(() => seen.events.length === 10);
    await on.double.kill();
    write(on.double, 10);
    await on.double.restart();
    await expectEverything(on.double, seen);
  });

  test('stopped with its calls reset, and started again', async () => {
    const on = await bench();
    const seen = follow(on);
    write(on.double, 10);
    await waitUntil(() => seen.events.length === 10);
    on.double.resetCalls();
    await on.double.kill();
    write(on.double, 10);
    await on.double.restart();
    await expectEverything(on.double, seen);
  });

  test('frozen until keep-alive gives the connection up, then thawed', async () => {
    const on = await bench({}, {}, QUICK_KEEP_ALIVE);
    const seen = follow(on);
    write(on.double, 10);
    await waitUntil(() => seen.events.length === 10);
    on.double.freeze();
    write(on.double, 10);
    const { connections } = on.double;
    await waitUntil(() => on.double.connections > connections);
    on.double.thaw();
    await expectEverything(on.double, seen);
  });

  test('frozen before it was confirmed: given up by the own deadline and made again', async () => {
    const clock = new ManualClock();
    const on = await bench({ clock });
    await on.store.ping();
    on.double.freeze();
    write(on.double, 10);
    const seen = follow(on);
    await waitUntil(() => clock.pending > 0);
    clock.advance(QUICK.subscribeConfirmation);
    await waitUntil(() => on.log.length > 0);
    expect(on.log[0]).toContain('no answer within 400 ms');
    on.double.thaw();
    clock.advance(QUICK.backOff.longest);
    await expectEverything(on.double, seen);
  });

  test('made while the server is down', async () => {
    const on = await bench();
    await on.double.kill();
    write(on.double, 10);
    const seen = follow(on);
    await waitUntil(() => on.log.length > 0);
    await on.double.restart();
    await expectEverything(on.double, seen);
    expect(seen.caughtUp).toBe(1);
  });

  test('cut in the middle of catching up, while the handler is at work', async () => {
    const on = await bench();
    write(on.double, 3_000);
    let cuts = 0;
    const seen = follow(on, undefined, async () => {
      if (cuts >= 3) return;
      cuts += 1;
      await on.double.kill();
      await on.double.restart();
    });
    await expectEverything(on.double, seen);
    expect(cuts).toBe(3);
    // Told after the last event has been handled.
    expect(await waitUntil(() => seen.caughtUp)).toBe(1);
  });

  test('a follower that insists on the leader elsewhere: the client goes there', async () => {
    const on = await bench();
    write(on.double, 5);
    const follower = await startDouble({ leader: on.double });
    await on.store.close();
    const seen = follow({ ...on, ...storeOn(follower.url()) });
    await expectEverything(on.double, seen);
  });
});

describe('subscriptions: another log in place of the one that was followed', () => {
  test.each([
    ['shorter', 1],
    ['of the same length', 3],
    ['longer', 9],
  ])('a %s one ends the subscription, which says why', async (_, events) => {
    const on = await bench();
    write(on.double, 3);
    const seen = follow(on);
    await waitUntil(() => seen.events.length === 3);
    await on.double.kill();
    on.double.replaceLog();
    write(on.double, events);
    await on.double.restart();
    expect(await failed(seen)).toMatchObject([{ code: 'position_lost' }]);
    expect(seen.events).toHaveLength(3);
  });

  test('a place that it does not hold is refused at the first, and by a read', async () => {
    const on = await bench();
    write(on.double, 3);
    const seen = follow(on, on.double.userEvents[0]!.position + 1n);
    expect(await failed(seen)).toMatchObject([{ code: 'position_lost' }]);
    const reading = on.store.readAll({ after: on.double.userEvents[0]!.position + 1n, limit: 1 });
    await expect(reading).rejects.toMatchObject({ code: 'position_lost' });
  });
});

describe('subscriptions: delivery', () => {
  test('of a log without events goes on with the first that comes', async () => {
    const on = await bench();
    const seen = follow(on);
    await waitUntil(() => seen.caughtUp === 1);
    write(on.double, 10);
    await expectEverything(on.double, seen);
  });

  test.each([0, 10])(
    'of a log with %d events, whose end is told of as if it were passed, goes on with what comes there',
    async (events) => {
      const on = await bench();
      on.double.faults.tellsEndAsCheckpoint = true;
      write(on.double, events);
      const seen = follow(on);
      await waitUntil(() => seen.caughtUp === 1);
      write(on.double, 5);
      await expectEverything(on.double, seen);
      on.double.dropSubscriptions();
      await waitUntil(() => on.double.subscriptionCount === 1);
      write(on.double, 5);
      await expectEverything(on.double, seen);
      expect(seen.passed).toEqual([]);
    },
  );

  test('the streams of others are left out by the server already', async () => {
    const on = await bench({ streamPrefix: 's-1' });
    write(on.double, 21);
    const seen = follow(on);
    await waitUntil(() => seen.caughtUp === 1);
    await seen.stop();
    expect(seen.events.map(({ stream }) => stream)).toEqual(['s-1', 's-1', 's-1']);
  });

  test("the server's own events are left out, and an interruption after many of them starts behind them", async () => {
    const on = await bench();
    write(on.double, 2);
    const seen = follow(on);
    write(on.double, 400, '$noise');
    await waitUntil(() => seen.caughtUp === 1);
    on.double.dropSubscriptions();
    write(on.double, 3);
    await expectEverything(on.double, seen);
    expect(seen.events.every(({ type }) => type === 'SampleHappened')).toBe(true);
  });

  test('a slow handler holds the server back: batches are bounded, and nothing is lost', async () => {
    const on = await bench();
    write(on.double, 1_000);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let calls = 0;
    const seen = follow(on, undefined, () => ((calls += 1) === 1 ? held : Promise.resolve()));
    await waitUntil(() => calls === 1);
    // As long as it takes to send all of them on the same connection.
    expect(await on.store.readAll({ limit: 1_000 })).toHaveLength(1_000);
    expect(calls).toBe(1);
    release();
    await expectEverything(on.double, seen);
    expect(Math.max(...seen.batches)).toBeLessThanOrEqual(256);
  });

  test('stop while the server is frozen ends at once', async () => {
    const on = await bench();
    const seen = follow(on);
    await waitUntil(() => seen.caughtUp === 1);
    on.double.freeze();
    await seen.stop();
    on.double.thaw();
    write(on.double, 1);
    await on.store.ping();
    expect(seen.events).toEqual([]);
  });

  test('stop between two tries ends at once', async () => {
    const on = await bench({ timings: { ...QUICK, backOff: { first: 60_000, longest: 60_000 } } });
    await on.double.kill();
    const seen = follow(on);
    await waitUntil(() => on.log.length > 0);
    await seen.stop();
    expect(seen.failures).toEqual([]);
  });

  test('an event whose position the server does not tell ends the subscription, for it could not be resumed', async () => {
    const on = await bench();
    const unknown = 0xffff_ffff_ffff_ffffn;
    write(on.double, 1);
    Object.assign(on.double.userEvents[0]!, { position: unknown });
    const seen = follow(on);
    await waitUntil(() => seen.failures.length === 1);
    expect(seen.failures[0] instanceof StoreUnavailableError).toBe(true);
  });
});
