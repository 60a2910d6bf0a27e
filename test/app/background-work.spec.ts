import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Announcer } from '#domain/announcements/index.js';
import type { NoticeRounds } from '#domain/notices/index.js';
import type { SummaryRounds } from '#domain/summaries/index.js';
import type { GuestRounds } from '#domain/sharing/index.js';
import type { SearchTermsRenewal } from '#domain/tenants/index.js';
import type { WebhookDispatcher } from '#domain/webhooks/index.js';
import type { BoundarySweep } from '#domain/access/index.js';
import { BackgroundWork } from '#app/background-work.js';
import { silentLogger } from '#kernel/logger.js';
import { systemIds } from '#kernel/ids.js';
import type { LockoutRounds, StaffGathering } from '#domain/history/index.js';
import type { HourlyCheckpoints } from '#app/hourly-checkpoints.js';
import { FillMark } from '#eventsourcing/projecting/fill-mark.js';
import { CatchUp } from '#eventsourcing/projecting/catch-up.js';
import { NO_WRITERS_HERE } from '#eventsourcing/projecting/views-fill.js';
import { ViewsFiller } from '#eventsourcing/projecting/views-filler.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { CounterProjector, type CounterWorld, openCounterWorld } from '../support/counter-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { waitUntil } from '../support/wait-until.js';

const A = 'counter-a';
const LEASE = 9_000;

/** Views on a server that is away for some calls. */
class AbsentViews extends CounterProjector {
  absences = 0;

  override project(...changes: Parameters<CounterProjector['project']>): Promise<void> {
    if (this.absences === 0) return super.project(...changes);
    this.absences -= 1;
    return Promise.reject(new StoreUnavailableError('The server is away, as the test wants it.', true));
  }
}

let world: CounterWorld;
let clock: ManualClock;
let counters: AbsentViews;
let work: BackgroundWork;
const begun: string[] = [];

beforeEach(async () => {
  world = await openCounterWorld();
  clock = new ManualClock();
  counters = new AbsentViews();
  begun.length = 0;
  const beside = (name: string) => ({ start: () => begun.push(name), stop: () => Promise.resolve() });
  const { log, views } = world;
  const openBuilder = () =>
    Promise.resolve({
      projectors: [counters],
      derived: { run: () => Promise.resolve() } as never,
      forgetCounts: () => Promise.resolve(),
      close: () => Promise.resolve(),
    });
  const damaged = new DamagedStreams();
  const fillPorts = {
    store: log,
    damaged,
    records: views,
    views,
    clock,
    logger: silentLogger,
    withoutWriters: NO_WRITERS_HERE,
    openBuilder,
  };
  work = new BackgroundWork(
    log,
    views,
    clock,
    silentLogger,
    systemIds,
    [counters],
    beside('sweep') as unknown as BoundarySweep,
    beside('lockouts') as unknown as LockoutRounds,
    beside('checkpoints') as unknown as HourlyCheckpoints,
    { ...beside('announcer'), begin: () => Promise.resolve() } as unknown as Announcer,
    beside('webhooks') as unknown as WebhookDispatcher,
    beside('notices') as unknown as NoticeRounds,
    beside('summaries') as unknown as SummaryRounds,
    beside('guests') as unknown as GuestRounds,
    beside('staff') as unknown as StaffGathering,
    beside('terms') as unknown as SearchTermsRenewal,
    new ViewsFiller(fillPorts),
    damaged,
  );
  await world.rival()(A, 5);
});
afterEach(async () => {
  await work.onModuleDestroy();
  await world.close();
});

/** Lets time pass until it has come to an end, which is thrown where it is a rejection. */
async function untilSettled(work: Promise<unknown>): Promise<void> {
  let isSettled = false;
  const settled = work.finally(() => (isSettled = true));
  settled.catch(() => undefined);
  await waitUntil(() => {
    if (!isSettled) clock.advance(100);
    return isSettled;
  });
  await settled;
}

/** Lets time pass until `isDone`, whenever so many timers wait that nothing else is under way. */
async function untilTimeBrings(timers: number, isDone: () => boolean): Promise<void> {
  await waitUntil(async () => {
    for (let turn = 0; turn < 100 && !isDone(); turn += 1) {
      if (clock.pending >= timers) clock.advance(100);
      await nextTurn();
    }
    return isDone();
  });
}

/** Another process brings its views up to the log, and saves how far. */
async function caughtUpByAnother(fence: number): Promise<void> {
  const { log, views } = world;
  const ports = {
    store: log,
    damaged: new DamagedStreams(),
    views,
    clock: new ManualClock(),
    logger: silentLogger,
  };
  const runner = new CatchUp(ports, [new CounterProjector()]);
  await runner.start(fence);
  await runner.stop();
  await filled();
}

/** A fill of the views has ended. */
const filled = () => new FillMark(world.views).set(0);

describe('a start beside other processes', () => {
  it('waits for a store that is away for a moment, and keeps the lease meanwhile', async () => {
    await filled();
    counters.absences = 3;
    const started = work.start(false, LEASE);
    while (counters.absences > 0) {
      const left = counters.absences;
      // The lease's next turn, and the next try.
      await waitUntil(() => counters.absences < left && clock.pending >= 2);
      expect(begun).toEqual([]);
      clock.advance(1_000);
    }
    await started;
    expect([counters.totals(), begun]).toEqual([
      { [A]: 5 },
      [
        'sweep',
        'lockouts',
        'checkpoints',
        'announcer',
        'webhooks',
        'notices',
        'summaries',
        'guests',
        'staff',
        'terms',
      ],
    ]);
    expect(work.leads).toBe(true);
  });

  it('gives up, and the lease with it, where the store stays away', async () => {
    await filled();
    counters.absences = Infinity;
    let end: unknown;
    const started = work.start(false, LEASE).catch((error: unknown) => (end = error));
    // The lease's next turn, and the next try: once there is none, the next turn would take the lease again.
    await untilTimeBrings(2, () => end !== undefined);
    await started;
    expect(end).toBeInstanceOf(StoreUnavailableError);
    expect(await world.views.takeLease('views', 'another', LEASE)).toMatchObject({ fence: 2 });
  });

  it('goes on after an absence that comes late in a long catch-up', async () => {
    await filled();
    counters.absences = 1;
    const project = counters.project.bind(counters);
    counters.project = (...changes) => {
      if (counters.absences > 0) clock.advance(60_000);
      return project(...changes);
    };
    const started = work.start(false, LEASE);
    await untilSettled(started);
    expect([counters.totals(), work.leads]).toEqual([{ [A]: 5 }, true]);
  });

  it('counts an absence anew once the views have come further', async () => {
    await filled();
    // More than one delivery of the log.
    for (let number = 0; number < 600; number += 1) await world.rival()(`counter-${number}`, 1);
    let calls = 0;
    const project = counters.project.bind(counters);
    counters.project = (...changes) => {
      calls += 1;
      // Before the first delivery is applied, and long after, before the second is.
      if (calls === 1 || calls === 3) counters.absences = 1;
      if (calls === 3) clock.advance(29_500);
      return project(...changes);
    };
    const started = work.start(false, LEASE);
    await untilSettled(started);
    expect(Object.keys(counters.totals())).toHaveLength(601);
  });

  it.each([
    ['was told so', true],
    ['meets its checkpoint', false],
  ])('waits for who has taken over where its lease was lost meanwhile and it %s', async (_how, isTold) => {
    counters.absences = Infinity;
    let hasStarted = false;
    const started = work.start(false, LEASE).then(() => (hasStarted = true));
    await waitUntil(() => clock.pending >= 2);
    // Two leases' length in which it could not be renewed.
    world.clock.advance(2 * LEASE);
    const lease = await world.views.takeLease('views', 'another', LEASE);
    const renewing = jest.spyOn(world.views, 'renewLease');
    if (isTold) {
      clock.advance(LEASE / 3);
      await waitUntil(() => !work.leads);
      expect(hasStarted).toBe(false);
    }
    counters.absences = 0;
    await caughtUpByAnother(lease!.fence);
    await untilSettled(started);
    expect(work.leads).toBe(false);
    expect(renewing).toHaveBeenCalled();
  });

  it('starts nothing where its lease was lost before its views were found filled', async () => {
    let answer: (isFilled: boolean) => void = () => undefined;
    jest
      .spyOn(ViewsFiller.prototype, 'isFilled')
      .mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
    const started = work.start(false, LEASE);
    await waitUntil(() => clock.pending >= 1);
    world.clock.advance(2 * LEASE);
    const lease = await world.views.takeLease('views', 'another', LEASE);
    clock.advance(LEASE / 3);
    await waitUntil(() => !work.leads);
    const catchUp = jest.spyOn(CatchUp.prototype, 'start');
    answer(true);
    await caughtUpByAnother(lease!.fence);
    await untilSettled(started);
    // Only the other process, which this test plays, has followed the log.
    expect([begun, catchUp.mock.calls, work.leads]).toEqual([[], [[lease!.fence]], false]);
  });

  it('beside one that leads waits for a store that is away for a moment', async () => {
    const lease = await world.views.takeLease('views', 'another', LEASE);
    const collection = world.views.collection.bind(world.views);
    let absences = 3;
    jest.spyOn(world.views, 'collection').mockImplementation((declaration) => {
      if (absences === 0) return collection(declaration);
      absences -= 1;
      return Promise.reject(new StoreUnavailableError('The server is away, as the test wants it.', false));
    });
    const started = work.start(false, LEASE);
    started.catch(() => undefined);
    await waitUntil(() => {
      clock.advance(1_000);
      return absences === 0;
    });
    await caughtUpByAnother(lease!.fence);
    await untilSettled(started);
    expect(work.leads).toBe(false);
  });

  it('beside one that leads goes on waiting through short absences, however many', async () => {
    const lease = await world.views.takeLease('views', 'another', LEASE);
    const collection = world.views.collection.bind(world.views);
    const began = clock.now();
    let asked = 0;
    // It answers, and every third time it does not.
    const flaky = jest.spyOn(world.views, 'collection').mockImplementation((declaration) => {
      asked += 1;
      if (asked % 3 !== 0) return collection(declaration);
      return Promise.reject(new StoreUnavailableError('The server is away, as the test wants it.', false));
    });
    let isOver = false;
    const started = work.start(false, LEASE).finally(() => (isOver = true));
    started.catch(() => undefined);
    // The lease's next turn, and the wait's next look.
    await untilTimeBrings(2, () => isOver || clock.now() - began > 90_000);
    expect(isOver).toBe(false);
    flaky.mockRestore();
    await caughtUpByAnother(lease!.fence);
    await untilSettled(started);
  });

  it('gives the lease back that it took while it waited, where the log stays away and the views answer', async () => {
    await world.views.takeLease('views', 'another', LEASE);
    const started = work.start(false, LEASE);
    started.catch(() => undefined);
    // The lease's next turn, and the wait's next look.
    await waitUntil(() => clock.pending === 2);
    const head = jest.spyOn(world.log, 'head');
    head.mockRejectedValue(new StoreUnavailableError('The log is away, as the test wants it.', false));
    const release = jest.spyOn(world.views, 'releaseLease');
    world.clock.advance(2 * LEASE);
    clock.advance(LEASE / 3);
    await waitUntil(() => work.leads);
    const takenAt = clock.now();
    // And the turn's next try.
    await untilTimeBrings(3, () => release.mock.calls.length > 0 || clock.now() - takenAt > 60_000);
    expect(clock.now() - takenAt).toBe(29_000);
    head.mockRestore();
    await untilSettled(started);
    expect([work.leads, counters.totals()]).toEqual([true, { [A]: 5 }]);
  });

  it('is over once it has itself applied what the log holds, though who leads has fallen silent', async () => {
    await filled();
    await world.views.takeLease('views', 'killed', LEASE);
    const before = clock.now();
    await work.start(false, LEASE);
    expect([work.leads, counters.totals(), clock.now() - before]).toEqual([false, { [A]: 5 }, 0]);
  });

  it('is not over before a first fill has ended, which who leads does', async () => {
    const lease = await world.views.takeLease('views', 'another', LEASE);
    let isOver = false;
    const started = work.start(false, LEASE).finally(() => (isOver = true));
    for (let look = 0; look < 20; look += 1) {
      await waitUntil(() => clock.pending === 2);
      clock.advance(100);
    }
    expect(isOver).toBe(false);
    await caughtUpByAnother(lease!.fence);
    await untilSettled(started);
    expect([isOver, work.leads]).toEqual([true, false]);
  });

  it('does not wait for what no waiting mends', async () => {
    await filled();
    counters.failures = 1;
    await expect(work.start(false, LEASE)).rejects.toThrow('The views are down');
  });
});
