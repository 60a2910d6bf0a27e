import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { SharedLogTail } from '#eventsourcing/writing/log-tail.js';
import type { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { commitTogether } from '#eventsourcing/writing/commit.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import { WriteContendedError } from '#eventsourcing/writing/write-contended.error.js';
import { resultsAtOnce } from '../../support/barrier.js';
import {
  command,
  count,
  counterAggregate,
  type CounterDecide,
  type CounterWorld,
  parts,
  writing,
  openCounterWorld,
  refuse,
  withTimePassing,
} from '../../support/counter-world.js';
import { commandRunnerOn, runParts } from '../../support/command-runner.js';
import { checkedStreams } from '../../support/log-check.js';

const A = 'counter-a';
const B = 'counter-b';
const C = 'counter-c';

let world: CounterWorld;

beforeEach(async () => {
  world = await openCounterWorld();
});
afterEach(async () => {
  const log = await world.log.readAll({ limit: 10_000 });
  await world.close();
  checkedStreams(log);
});

const write = (streams: string[], decide: CounterDecide, context = command()) =>
  runParts(world.writer, writing(world.counters), parts(streams, decide), context);
/** One decision for each of A, B and C. */
const each = (decisions: CounterDecide[]) =>
  decisions.map((decide, place) => ({ stream: [A, B, C][place]!, command: decide }));
const writeEach = (decisions: CounterDecide[], context = command()) =>
  runParts(world.writer, writing(world.counters), each(decisions), context);
const amounts = (events: RecordedEvent[]) => events.map(({ data }) => data['by']);
const stored = async (stream: string) => amounts(await world.log.readStream(stream));

describe('a write', () => {
  it('stores, projects and then answers, for each stream in order', async () => {
    await write([B], count(5));
    world.clock.advance(1000);
    const context = command();
    const outcomes = await writeEach([count(1), count(2), count(0)], context);
    const now = world.clock.now();
    expect(outcomes).toMatchObject([
      { kind: 'done', result: 'was nothing', changed: true, applied_at: now, after: { state: { total: 1 } } },
      {
        kind: 'done',
        result: 'was 5',
        changed: true,
        applied_at: now,
        after: { state: { total: 7 }, revision: 1 },
      },
      { kind: 'done', result: 'was nothing', changed: false, applied_at: now, after: undefined },
    ]);
    expect(world.counters.totals()).toEqual({ [A]: 1, [B]: 7 });
    const [event] = await world.log.readStream(A);
    expect(event).toMatchObject({ type: 'Counted', data: { by: 1 }, revision: 0 });
    const metadata = event!.metadata as unknown as EventMetadata;
    expect(metadata).toEqual({
      command_id: context.command_id,
      request_id: 'request',
      actor: { kind: 'system', id: 'test' },
      occurred_at: new Date(now).toISOString(),
      schema: 1,
      part: { n: 1, of: 1 },
      previous_hash: '0'.repeat(64),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('stores the streams that are accepted although others are refused', async () => {
    const outcomes = await writeEach([refuse, count(2), refuse]);
    expect(outcomes).toMatchObject([
      { kind: 'rejected', refusal: 'too_much' },
      { kind: 'done', changed: true },
      { kind: 'rejected', refusal: 'too_much' },
    ]);
    expect([await stored(A), await stored(B)]).toEqual([[], [2]]);
  });

  it('gives an event no earlier time than the one before it, even if the clock goes back', async () => {
    const later = openAt(world.clock.now() + 5000);
    await write([A], later);
    const [outcome] = await write([A], count(1));
    expect(outcome).toMatchObject({ applied_at: world.clock.now() });
    const times = (await world.log.readStream(A)).map(({ metadata }) => metadata['occurred_at']);
    expect(times).toEqual([...times].sort());
  });

  /** A decision during which the clock jumps on. */
  function openAt(instant: number): CounterDecide {
    return (state, now) => {
      world.clock.advance(instant - now);
      return count(1)(state, now);
    };
  }

  it('decides each of many at once on the state that the one before it left', async () => {
    const outcomes = await resultsAtOnce(Array.from({ length: 50 }, () => () => write([A], count(1))));
    const results = outcomes.map(([outcome]) => (outcome!.kind === 'done' ? outcome!.result : ''));
    expect(new Set(results).size).toBe(50);
    expect(world.counters.totals()).toEqual({ [A]: 50 });
  });

  it('stores nothing when its decision throws, and leaves the stream free', async () => {
    const failing = (): never => {
      throw new Error('No decision today.');
    };
    await expect(write([A], failing)).rejects.toThrow('No decision today.');
    await write([A], count(1));
    expect(await stored(A)).toEqual([1]);
  });
});

describe('a stream that another process has moved on', () => {
  it('is decided again on its newest state, and the other streams are not', async () => {
    await write([A, B], count(1));
    const rival = world.rival();
    await rival(A, 10);
    const decided: string[] = [];
    const noting = [A, B, C].map((stream): CounterDecide => (state, now) => {
      decided.push(stream);
      return count(2)(state, now);
    });
    const outcomes = await writeEach(noting);
    expect(decided).toEqual([A, B, C, A]);
    expect(outcomes).toMatchObject([{ result: 'was 11' }, { result: 'was 1' }, { result: 'was nothing' }]);
    expect([await stored(A), await stored(B), await stored(C)]).toEqual([[1, 10, 2], [1, 2], [2]]);
    expect(world.counters.totals()).toEqual({ [A]: 13, [B]: 3, [C]: 2 });
  });

  it('may be refused when it is decided again', async () => {
    await write([A], count(1));
    await world.rival()(A, 10);
    const cautious: CounterDecide = (state, now) => (state!.total > 5 ? refuse : count(1))(state, now);
    expect(await write([A], cautious)).toEqual([{ kind: 'rejected', refusal: 'too_much' }]);
    expect(await stored(A)).toEqual([1, 10]);
  });

  it('is shown in the views before a write that finds nothing left to do is answered', async () => {
    await write([A], count(1));
    await world.rival()(A, 10);
    const upTo11: CounterDecide = (state, now) => count(11 - state!.total)(state, now);
    expect(await write([A], upTo11)).toMatchObject([{ kind: 'done', changed: false, result: 'was 11' }]);
    // Read your writes: what the answer rests on can be read.
    expect(world.counters.totals()).toEqual({ [A]: 11 });
  });

  it('before each attempt is given up after ten attempts with growing pauses', async () => {
    await write([A], count(1));
    const rival = world.rival();
    const idle = world.clock.pending;
    let attempts = 0;
    world.faults.beforeAppend = async () => {
      attempts += 1;
      await rival(A, 1);
    };
    const begun = world.clock.now();
    const writing = withTimePassing(world.clock, write([A], count(100)));
    const error: unknown = await writing.catch((thrown: unknown) => thrown);
    expect([error instanceof WriteContendedError, (error as { stream: string }).stream]).toEqual([true, A]);
    expect(attempts).toBe(10);
    expect(world.clock.now() - begun).toBeGreaterThanOrEqual(5 * (2 ** 7 - 1));
    expect(await stored(A)).not.toContain(100);
    expect(world.clock.pending).toBe(idle);
  });

  it('before the first attempts is written in the end', async () => {
    await write([A], count(1));
    const rival = world.rival();
    let left = 5;
    world.faults.beforeAppend = async () => {
      if (left-- > 0) await rival(A, 1);
    };
    const [outcome] = await withTimePassing(world.clock, write([A], count(100)));
    expect(outcome).toMatchObject({ kind: 'done', result: 'was 6', after: { state: { total: 106 } } });
  });
});

describe('a command that finds nothing to change', () => {
  /** Takes a counter back to nothing. */
  const reset: CounterDecide = (state, now) => count(-(state?.total ?? 0))(state, now);

  it.each([
    ['its answer was lost', () => (world.faults.answersToLose = 1)],
    ['its views failed', () => (world.counters.failures = 1)],
  ])('is decided on the log after a write when %s', async (_, breaks) => {
    breaks();
    await expect(write([A], count(2))).rejects.toThrow('as the test wants it');
    expect(await write([A, B], reset)).toMatchObject([
      { changed: true, result: 'was 2' },
      { changed: false },
    ]);
    expect([await stored(A), world.counters.totals()]).toEqual([[2, -2], { [A]: 0 }]);
  });

  it('is decided on the log whenever other processes may write to it', async () => {
    const tail = new SharedLogTail(world.log, world.clock, () => Promise.resolve(undefined));
    const shared = commandRunnerOn(world.log, world.clock, { tail });
    await world.rival()(A, 2);
    const [outcome] = await runParts(shared, writing(world.counters), parts([A], reset), command());
    expect(outcome).toMatchObject({ changed: true, result: 'was 2' });
    expect([await stored(A), world.counters.totals()]).toEqual([[2, -2], { [A]: 0 }]);
  });

  describe('in many streams to which other processes may write', () => {
    let position: bigint | undefined;
    const shared = () => {
      const tail = new SharedLogTail(world.log, world.clock, () => Promise.resolve(position));
      return commandRunnerOn(world.log, world.clock, { tail });
    };
    const resetAll = (writer: CommandRunner) =>
      runParts(writer, writing(world.counters), parts([A, B, C], reset), command());
    /** Learns how far the views are. */
    const resetOthers = (writer: CommandRunner) =>
      runParts(writer, writing(world.counters), parts(['counter-d', 'counter-e'], reset), command());
    const head = async () => (await world.log.readAll({ limit: 1, backwards: true }))[0]?.position;

    beforeEach(async () => {
      await writeEach([count(1), count(1), count(1)]);
      await writeEach([count(-1), count(-1), count(-1)]);
      position = await head();
    });

    it('asks only for the end of the log once it is known how far the views are', async () => {
      const writer = shared();
      await resetAll(writer);
      const streams = jest.spyOn(world.log, 'readStream');
      const all = jest.spyOn(world.log, 'readAll');
      const ends = jest.spyOn(world.log, 'head');
      const calls = () => [streams, all, ends].map(({ mock }) => mock.calls.length);
      expect(await resetAll(writer)).toMatchObject([
        { changed: false },
        { changed: false },
        { changed: false },
      ]);
      expect(calls()).toEqual([0, 0, 1]);
      await world.rival()(B, 5);
      expect(await resetAll(writer)).toMatchObject([
        { changed: false },
        { changed: true, result: 'was 5' },
        { changed: false },
      ]);
      expect(await stored(B)).toEqual([1, -1, 5, -5]);
    });

    it('does not trust a position of the views that was learnt after they had been read', async () => {
      const writer = shared();
      await resetAll(writer);
      const load = jest.spyOn(world.counters.states, 'load').mockImplementationOnce(async (streams) => {
        load.mockRestore();
        const read = await world.counters.states.load(streams);
        // Another process writes, the views show it, and this process learns so: all after the read.
        await world.rival()(B, 5);
        position = await head();
        world.clock.advance(1_000);
        await resetOthers(writer);
        return read;
      });
      const outcomes = await resetAll(writer);
      expect(outcomes[1]).toMatchObject({ changed: true, result: 'was 5' });
    });

    it('reads each stream when too much has been written since', async () => {
      const writer = shared();
      await resetAll(writer);
      for (let number = 0; number < 11; number += 1) {
        await write(
          Array.from({ length: 100 }, (_, stream) => `counter-other-${stream}`),
          count(1),
        );
      }
      const streams = jest.spyOn(world.log, 'readStream');
      await resetAll(writer);
      expect(streams).toHaveBeenCalledTimes(3);
    });
  });

  it('reads no stream when nobody else writes and nothing is in doubt', async () => {
    await write([A], count(0));
    const reads = jest.spyOn(world.log, 'readStream');
    await write([A, B], reset);
    expect(reads).not.toHaveBeenCalled();
  });
});

describe('a command whose outcome was not known', () => {
  it('is found in the log, gets its first answer and is not done twice', async () => {
    await write([A], count(1));
    world.clock.advance(1000);
    const first = command();
    world.faults.answersToLose = 1;
    const lost: unknown = await write([A, B], count(2), first).catch((thrown: unknown) => thrown);
    expect(lost instanceof StoreUnavailableError).toBe(true);
    const then = world.clock.now();
    world.clock.advance(60_000);
    const outcomes = await write([A, B], count(2), { ...first, recovering: true });
    expect(outcomes).toMatchObject([
      {
        kind: 'done',
        result: 'was 1',
        changed: true,
        applied_at: then,
        after: { state: { total: 3 }, revision: 1 },
      },
      { kind: 'done', result: 'was nothing', changed: true, applied_at: then, after: { revision: 0 } },
    ]);
    expect([await stored(A), await stored(B)]).toEqual([[1, 2], [2]]);
    expect(world.counters.totals()).toEqual({ [A]: 3, [B]: 2 });
  });

  it('is completed when only some of its streams were stored', async () => {
    const first = command();
    await write([A], count(2), first);
    const outcomes = await write([A, B], count(2), { ...first, recovering: true });
    expect(outcomes).toMatchObject([{ result: 'was nothing' }, { result: 'was nothing' }]);
    expect([await stored(A), await stored(B)]).toEqual([[2], [2]]);
  });

  it('is found before later writes of others, which stay', async () => {
    const first = command();
    world.faults.answersToLose = 1;
    await write([A], count(2), first).catch(() => undefined);
    await write([A], count(5));
    const [outcome] = await write([A], count(2), { ...first, recovering: true });
    expect(outcome).toMatchObject({ result: 'was nothing', after: { state: { total: 2 }, revision: 0 } });
    expect(await stored(A)).toEqual([2, 5]);
    expect(world.counters.totals()).toEqual({ [A]: 7 });
  });

  it('is done when it was never stored', async () => {
    const first = command();
    world.faults.refusals = 1;
    await write([A], count(2), first).catch(() => undefined);
    await write([A], count(2), { ...first, recovering: true });
    expect(await stored(A)).toEqual([2]);
  });

  it('recognizes its own events when they make its append a conflict', async () => {
    const first = command();
    await write([A], count(2), first);
    world.counters.folds.clear();
    const [outcome] = await write([A], count(2), first);
    expect(outcome).toMatchObject({ kind: 'done', result: 'was nothing', changed: true });
    expect([await stored(A), world.counters.totals()]).toEqual([[2], { [A]: 2 }]);
  });

  it('is applied to the views by the retry when they had failed', async () => {
    const first = command();
    world.counters.failures = 1;
    await expect(write([A], count(2), first)).rejects.toThrow('The views are down');
    expect(world.counters.totals()).toEqual({});
    await write([A], count(2), { ...first, recovering: true });
    expect([await stored(A), world.counters.totals()]).toEqual([[2], { [A]: 2 }]);
  });
});

describe('a preview', () => {
  it('answers as the write would and stores nothing', async () => {
    await write([A], count(1));
    const before = await world.log.readAll({ limit: 100 });
    const decides = each([count(2), refuse, count(0)]);
    const previewed = await runParts(world.writer, writing(world.counters), decides, command(), {
      dryRun: true,
    });
    expect(previewed).toMatchObject([
      { kind: 'done', result: 'was 1', changed: true, after: { state: { total: 3 }, revision: 1 } },
      { kind: 'rejected', refusal: 'too_much' },
      { kind: 'done', changed: false, after: undefined },
    ]);
    expect(await world.log.readAll({ limit: 100 })).toEqual(before);
    expect(world.counters.totals()).toEqual({ [A]: 1 });
    expect(await write([A], count(2))).toMatchObject([{ result: 'was 1' }]);
  });
});

describe('a command that names tenants', () => {
  const taken = 'account_taken' as const;

  /** A run on one stream that counts how often it is prepared, on which state. */
  function named(stream: string, names: readonly string[], more: object = {}) {
    const prepared: (number | undefined)[] = [];
    const run = {
      ...writing(world.counters),
      streams: [stream],
      names,
      prepare: (open: readonly { readonly state: { readonly total: number } | undefined }[]) => {
        prepared.push(...open.map(({ state }) => state?.total));
        return { clock: 'world' as const, commands: open.map(() => ({ command: count(1) })) };
      },
      ...more,
    };
    return { run, prepared };
  }

  it('is prepared and decided again when another process has made the account of one', async () => {
    const commit = commitTogether({ log: world.log, records: { write: () => Promise.resolve([]) } });
    let attempts = 0;
    const runner = commandRunnerOn(world.log, world.clock, {
      commit: (request) => ((attempts += 1) === 1 ? Promise.resolve(taken) : commit(request)),
    });
    const { run, prepared } = named(A, ['ada']);
    expect(await runner.run(run, command())).toMatchObject([{ kind: 'done', changed: true }]);
    expect([prepared, await stored(A)]).toEqual([[undefined, undefined], [1]]);
  });

  it('gives up when that happens before each attempt', async () => {
    const runner = commandRunnerOn(world.log, world.clock, { commit: () => Promise.resolve(taken) });
    const refused = withTimePassing(world.clock, runner.run(named(A, ['ada']).run, command()));
    await expect(refused).rejects.toThrow('changed the stream');
    expect(await stored(A)).toEqual([]);
  });

  it('waits until another one with a name in common has completed, and for no dry run', async () => {
    const order: string[] = [];
    let complete: () => void = () => undefined;
    const completing = new Promise<void>((resolve) => (complete = resolve));
    const first = named(A, ['ada', 'ben'], {
      complete: async (outcomes: readonly unknown[]) => {
        order.push('first completes');
        await completing;
        return outcomes;
      },
    });
    const running = world.writer.run(first.run, command());
    const following = world.writer.run(named(B, ['ben']).run, command()).then(() => order.push('second'));
    await world.writer.run(named(C, ['ada']).run, command(), true);
    order.push('dry run');
    for (let turn = 0; turn < 3; turn += 1) await write(['counter-d'], count(1));
    order.push('others');
    complete();
    await Promise.all([running, following]);
    expect(order.filter((what) => what !== 'first completes')).toEqual(['dry run', 'others', 'second']);
    expect(await stored(C)).toEqual([]);
  });

  it('is completed once, after its last append is projected', async () => {
    const told: string[] = [];
    const completed = {
      complete: async (outcomes: readonly unknown[]) => {
        told.push(
          `completes after ${(await stored(A)).length} events, the views show ${world.counters.totals()[A]}`,
        );
        return outcomes;
      },
    };
    world.faults.beforeAppend = async () => {
      world.faults.beforeAppend = () => Promise.resolve();
      await world.rival()(A, 5);
    };
    await world.writer.run(named(A, ['ada'], completed).run, command());
    expect(told).toEqual(['completes after 2 events, the views show 6']);
  });

  it('is not completed if its views cannot be written', async () => {
    let completions = 0;
    const completed = {
      complete: (outcomes: readonly unknown[]) => {
        completions += 1;
        return Promise.resolve(outcomes);
      },
    };
    world.counters.failures = 1;
    const running = world.writer.run(named(A, ['ada'], completed).run, command());
    await expect(running).rejects.toThrow('The views are down, as the test wants it.');
    expect(completions).toBe(0);
  });
});

describe.each([
  ['read before each write', true],
  ['read after a conflict', false],
])('streams that no view shows, %s', (_, readsFirst) => {
  it('are decided on what the log holds', async () => {
    const aggregate = counterAggregate();
    const states = readsFirst ? undefined : { load: () => Promise.resolve([]) };
    const writing = { aggregate, states };
    const append = jest.spyOn(world.log, 'append');
    const told = [];
    for (const by of [1, 2, 3])
      told.push(
        await runParts(world.writer, writing, parts(['counter-a', 'counter-b'], count(by)), command()),
      );
    const results = told.map((outcomes) => outcomes.map((outcome) => 'result' in outcome && outcome.result));
    expect(results).toEqual([
      ['was nothing', 'was nothing'],
      ['was 1', 'was 1'],
      ['was 3', 'was 3'],
    ]);
    // Without the states the second and the third write meet a conflict first.
    expect(append).toHaveBeenCalledTimes(readsFirst ? 3 : 5);
  });
});
