import { silentLogger } from '#kernel/logger.js';
import { DueSources } from '#pull/due-sources.js';
import { PullFault } from '#pull/fetching/pull-fault.js';
import { PullSourceWrites } from '#pull/pull-source-writes.js';
import { PullRunRecorder } from '#pull/pull-run-recorder.js';
import type { PullRun, RunPermit } from '#pull/pull-run.js';
import type { EndedPullRun } from '#pull/pull-run-observer.js';
import { PullRuns } from '#pull/pull-runs.js';
import { PullScheduler } from '#pull/pull-scheduler.js';
import type { WritePullSource } from '#pull/write-pull-source.js';
import type { CommandBus } from '@nestjs/cqrs';
import { type PullSourceRecord, PullSources } from '#pull/pull-sources.js';
import type { SecretBox } from '#kernel/secret-box.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { type EmbeddedWorld, openEmbeddedWorld } from '../support/embedded-world.js';
import { waitUntil } from '../support/wait-until.js';
import { worldsClock } from '../support/company-clocks.js';

const LEASE = 9_000;
const MINUTE = 60_000;

/** A process, as far as it runs sources: what it is at is under the test's hand. */
interface Process {
  readonly scheduler: PullScheduler;
  /** Runs that have begun. */
  readonly begun: {
    readonly source: string;
    readonly permit: RunPermit;
    readonly end: (error?: Error) => void;
  }[];
}

let world: EmbeddedWorld;
let sources: PullSources;
let runs: PullRuns;
let processes: Process[];
/** What all processes together told of runs that ended. */
let told: Omit<EndedPullRun, 'units'>[];

beforeEach(async () => {
  world = await openEmbeddedWorld();
  sources = new PullSources(world.records);
  runs = new PullRuns(world.records);
  processes = [];
  told = [];
});
afterEach(async () => {
  for (const { scheduler, begun } of processes) {
    for (const { end } of begun) end();
    await scheduler.onModuleDestroy();
  }
  await world.close();
});

function process(): Process {
  const begun: Process['begun'] = [];
  const pull = {
    run: ({ _id }: PullSourceRecord, permit: RunPermit) =>
      new Promise<void>((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
        permit.signal.addEventListener('abort', () =>
          end(new PullFault('interrupted', 'The run was ended.')),
        );
        begun.push({ source: _id, permit, end });
      }),
  } as unknown as PullRun;
  const { clock, ids, records } = world;
  const clocks = worldsClock(clock);
  const observer = {
    pulled: ({ outcome, seconds }: EndedPullRun) => void told.push({ outcome, seconds }),
  };
  const recorder = new PullRunRecorder(runs, pull, clocks, silentLogger, clock, observer);
  const scheduler = new PullScheduler(
    records,
    clock,
    ids,
    silentLogger,
    clocks,
    sources,
    recorder,
    new DueSources(sources, clocks, clock),
  );
  processes.push({ scheduler, begun });
  return { scheduler, begun };
}

const CONTEXT = { deadline: undefined } as unknown as WriteContext;

function administrationOf(scheduler: PullScheduler, commands: CommandBus, kept = sources): PullSourceWrites {
  const { clock, ids, records } = world;
  const secrets = {} as SecretBox;
  return new PullSourceWrites(
    kept,
    runs,
    commands,
    secrets,
    worldsClock(clock),
    ids,
    clock,
    records,
    scheduler,
  );
}

async function add(_id: string, fields: Partial<PullSourceRecord> = {}): Promise<void> {
  const now = world.clock.now();
  await sources.insert({
    _id,
    version: 1,
    company_id: 'C',
    name: _id,
    url: 'https://pms.example.com/',
    url_by_admin: true,
    sealed_auth: null,
    interval_seconds: 60,
    mapping: null,
    enabled: true,
    created_at: now,
    turn: 1,
    next_run_at: now + MINUTE,
    requested_run_id: null,
    running: null,
    run_id: null,
    ...fields,
  });
}

/** Lets time pass in thirds of a lease, and what is due in each be done. */
async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= LEASE / 3) {
    world.clock.advance(Math.min(left, LEASE / 3));
    await settle();
  }
}

/** Until nothing is done any more that needs no clock. A commit follows all that were asked for before it. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await world.records.takeLease('settled', 'a test', 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const states = async (source: string) =>
  (await runs.listRuns(source, 10)).documents.map(({ state, failure }) => failure?.code ?? state);

describe('of two processes', () => {
  async function two(): Promise<[Process, Process]> {
    const [first, second] = [process(), process()];
    await first.scheduler.start(false, LEASE);
    await second.scheduler.start(false, LEASE);
    return [first, second];
  }

  test('one runs the sources, and sees soon what the other was asked for', async () => {
    const [first, second] = await two();
    await add('P');
    second.scheduler.wake();
    await pass(MINUTE + 5_000);
    await waitUntil(() => first.begun.length === 1);
    expect(second.begun).toEqual([]);
  });

  test('the other one takes over what was under way when the first falls silent, and the first may write no more', async () => {
    const [first, second] = await two();
    await add('P', { next_run_at: world.clock.now() });
    first.scheduler.wake();
    await waitUntil(() => first.begun.length === 1);
    const { permit } = first.begun[0]!;
    await permit.demand();
    expect(permit.isOver).toBe(false);

    // The first process stands still: its lease is lost without its knowing.
    const lease = await world.records.takeLease('pull', 'a test', 0);
    await world.records.releaseLease(lease!);
    let answerLate: (isHeld: boolean) => void = () => undefined;
    const late = new Promise<boolean>((resolve) => (answerLate = resolve));
    const silent = jest
      .spyOn(world.records, 'renewLease')
      .mockImplementation(({ fence }) => (fence === 1 ? late : Promise.resolve(true)));
    await pass(LEASE);
    await waitUntil(() => second.begun.length === 1);
    silent.mockRestore();

    // It wakes up: what it asked for last may be outdated, and what it asks now is refused.
    expect(permit.signal.aborted).toBe(false);
    expect(permit.isOver).toBe(true);
    await expect(permit.demand()).rejects.toMatchObject({ code: 'interrupted' });
    answerLate(false);
    await settle();
    expect(permit.signal.aborted).toBe(true);
    second.begun[0]!.end();
    await waitUntil(async () => (await sources.byId('P'))!.running === null);
    expect(await states('P')).toEqual(['succeeded', 'interrupted']);
    // Each run once, although two processes were at the first of them.
    expect(told).toEqual([
      { outcome: 'interrupted', seconds: null },
      // When the lease's end was noticed is a matter of turns.
      { outcome: 'succeeded', seconds: expect.any(Number) },
    ]);
  });

  test('the other one goes on at once where the first ends in order', async () => {
    const [first, second] = await two();
    await add('P', { next_run_at: world.clock.now() });
    first.scheduler.wake();
    await waitUntil(() => first.begun.length === 1);
    await first.scheduler.onModuleDestroy();
    expect(await states('P')).toEqual(['interrupted']);
    await pass(LEASE / 3);
    await waitUntil(() => second.begun.length === 1);
  });
});

describe('a process by itself', () => {
  test('runs four sources at once, and the next when one has ended', async () => {
    const { scheduler, begun } = process();
    for (const source of ['A', 'B', 'C', 'D', 'E'])
      await add(source, { company_id: source, next_run_at: world.clock.now() });
    await scheduler.start(true);
    await waitUntil(() => begun.length === 4);
    await settle();
    expect(begun.map(({ source }) => source)).toEqual(['A', 'B', 'C', 'D']);
    begun[1]!.end();
    await waitUntil(() => begun.length === 5);
  });

  test('gives one company two places, however many of its sources are due first', async () => {
    const { scheduler, begun } = process();
    for (let place = 0; place < 6; place += 1)
      await add(`SLOW-${place}`, { company_id: 'SLOW', next_run_at: world.clock.now() - 1 });
    await add('OTHER', { company_id: 'OTHER', next_run_at: world.clock.now() });
    await scheduler.start(true);
    await waitUntil(() => begun.length === 3);
    await settle();
    expect(begun.map(({ source }) => source)).toEqual(['SLOW-0', 'SLOW-1', 'OTHER']);
    begun[0]!.end();
    await waitUntil(() => begun.length === 4);
    expect(begun[3]!.source).toBe('SLOW-2');
  });

  test('ends a run after one hour', async () => {
    const { scheduler, begun } = process();
    await add('P', { next_run_at: world.clock.now() });
    await scheduler.start(true);
    await waitUntil(() => begun.length === 1);
    const { permit } = begun[0]!;
    world.clock.advance(60 * MINUTE - 1);
    expect(permit.signal.aborted).toBe(false);
    world.clock.advance(1);
    expect(permit.signal.aborted).toBe(true);
    await expect(permit.demand()).rejects.toMatchObject({ code: 'run_too_long' });
  });

  test.each([true, false])(
    'runs what was asked for between the end of a run and the release of its source, switched on: %s',
    async (enabled) => {
      const { scheduler, begun } = process();
      await add('P', { next_run_at: world.clock.now() });
      await scheduler.start(true);
      await waitUntil(() => begun.length === 1);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      const change = sources.change.bind(sources);
      jest
        .spyOn(sources, 'change')
        .mockImplementation((id, wanted) => released.then(() => change(id, wanted)));
      begun[0]!.end();
      await waitUntil(async () => (await states('P'))[0] === 'succeeded');

      const others = new PullSources(world.records);
      const commands = { execute: () => Promise.resolve() } as unknown as CommandBus;
      const administration = administrationOf(scheduler, commands, others);
      const ask = async () => administration.requestRun((await others.byId('P'))!, CONTEXT);
      const asked = await ask();
      expect(asked._id).not.toBe(begun[0]!.permit.run_id);
      expect((await ask())._id).toBe(asked._id);
      await others.change('P', () => ({ enabled }));
      release();
      await waitUntil(() => begun.length === 2);
      expect(begun[1]!.permit.run_id).toBe(asked._id);
      expect((await ask())._id).toBe(asked._id);
    },
  );

  test('leaves out the turns that a long run took', async () => {
    const { scheduler, begun } = process();
    const start = world.clock.now();
    await add('P', { next_run_at: start });
    await scheduler.start(true);
    await waitUntil(() => begun.length === 1);
    await pass(2.5 * MINUTE);
    expect(begun).toHaveLength(1);
    begun[0]!.end();
    await waitUntil(async () => (await sources.byId('P'))!.next_run_at === start + 3 * MINUTE);
  });

  test('runs a source that becomes due while the due ones are read', async () => {
    const { scheduler, begun } = process();
    await add('P', { next_run_at: world.clock.now() + 1 });
    const due = sources.due.bind(sources);
    jest.spyOn(sources, 'due').mockImplementationOnce(async (now) => {
      const found = await due(now);
      world.clock.advance(1);
      return found;
    });
    await scheduler.start(true);
    await settle();
    world.clock.advance(1);
    await waitUntil(() => begun.length > 0);
    expect(begun.map(({ source }) => source)).toEqual(['P']);
  });

  test('starts no run whose request could not be written to the log', async () => {
    const { scheduler, begun } = process();
    await add('P');
    const asked: unknown[] = [];
    const commands = {
      execute: ({ command }: WritePullSource) =>
        asked.push(command) === 1 ? Promise.reject(new Error('The log is away.')) : Promise.resolve(),
    };
    const administration = administrationOf(scheduler, commands as unknown as CommandBus);
    const ask = async () => administration.requestRun((await sources.byId('P'))!, CONTEXT);
    await scheduler.start(true);
    await expect(ask()).rejects.toThrow('The log is away.');
    await settle();
    expect(begun).toEqual([]);
    const { _id } = await ask();
    await waitUntil(() => begun.length === 1);
    expect(asked[1]).toEqual({ type: 'RequestPullRun', run_id: _id });
  });

  test('waits for no timer where there is nothing to run', async () => {
    const { pending } = world.clock;
    await process().scheduler.start(true);
    await settle();
    expect(world.clock.pending).toBe(pending);
  });

  test('asks for no timer that is longer than timers are, which would fire at once and again', async () => {
    const waits: number[] = [];
    const after = world.clock.after.bind(world.clock);
    jest.spyOn(world.clock, 'after').mockImplementation((milliseconds, task) => {
      waits.push(milliseconds);
      return after(milliseconds, task);
    });
    const { scheduler, begun } = process();
    // As of a sandbox ten years ahead, by whose clock it is due and waits for another's run to end.
    await add('P', { next_run_at: world.clock.now() + 10 * 365 * 24 * 60 * MINUTE });
    await scheduler.start(true);
    await scheduler.settled();
    expect(waits).toEqual([24 * 60 * MINUTE]);
    expect(begun).toEqual([]);
  });

  test('keeps trying to end a run that could not be kept, so that its source is run again', async () => {
    const { scheduler, begun } = process();
    await add('P', { next_run_at: world.clock.now() });
    await scheduler.start(true);
    await waitUntil(() => begun.length === 1);
    const away = jest.spyOn(world.records, 'write').mockRejectedValue(new Error('The records are away.'));
    begun[0]!.end();
    await settle();
    away.mockRestore();
    expect((await sources.byId('P'))!.running).toBe(0);
    await pass(6_000);
    await waitUntil(async () => (await sources.byId('P'))!.running === null);
  });
});
