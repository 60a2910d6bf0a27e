import { backOff } from '#kernel/core/back-off.js';
import { KeyedMutex } from '#kernel/keyed-mutex.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { pause } from '#kernel/pause.js';
import { TURNS } from '#kernel/turns.js';
import type { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore, StreamAppend } from '#eventsourcing/log/event-store.js';
import type { Aggregate, Kind, Snapshot } from './aggregate.js';
import type { Projector, StreamChange } from './projector.js';
import type {
  CommandRun,
  StreamDecision,
  Outcome,
  StreamKind,
  TargetStream,
  WriteClock,
} from './command-run.js';
import type { Commit } from './commit.js';
import { HistoryDamagedError } from './history-damaged.error.js';
import type { LogTail } from './log-tail.js';
import { foldOnto, lastEventOf, readFrom } from './stored-stream.js';
import { changesIn, decideOne, readNewer } from './stream-decision.js';
import { WriteContendedError } from './write-contended.error.js';
import type { WriteContext } from './write-context.js';

/** Attempts of one run. A taken account and a state behind the log cost one attempt each. */
const ATTEMPTS = 10;
/** Milliseconds before the fourth attempt and each further one. */
const PAUSES_MS = { first: 5, longest: 1_000 };

/** What work may do {@link CommandRunner.inTurn}. */
export interface Turn {
  /** As `run`. @throws as `run` */
  write<K extends Kind>(run: CommandRun<K>, context: WriteContext): Promise<readonly Outcome<K>[]>;
  /** The newest state of a stream, by the log. @throws StoreUnavailableError, UnknownEventError */
  read<K extends Kind>(kind: StreamKind<K>, stream: string): Promise<Snapshot<K['state']> | undefined>;
}

export interface CommandRunnerPorts {
  readonly store: EventStore;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tail: LogTail;
  readonly damaged: Pick<DamagedStreams, 'findDamage'>;
}

/**
 * The one way to write, for 1 or 500 streams: load, prepare, decide, commit, project, answer. Within a process, runs that
 * share a stream or a name run one after another. After a conflict with another process it reads the stream and decides
 * again. It finds a command that an earlier attempt has done in the log, and does not do it twice (docs/design.md).
 */
export class CommandRunner {
  readonly #mutex = new KeyedMutex();

  constructor(private readonly ports: CommandRunnerPorts) {}

  /**
   * @param dryRun decides and stores nothing
   * @returns outcomes in the order of the streams, when the views show every change
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError, UnknownEventError, HistoryDamagedError
   */
  run<K extends Kind>(
    run: CommandRun<K>,
    context: WriteContext,
    dryRun = false,
  ): Promise<readonly Outcome<K>[]> {
    if (dryRun) return this.#preview(run, context);
    return this.alone([...run.streams, ...(run.names ?? [])], context, () => this.#write(run, context));
  }

  /** {@link run} for one stream whose command needs no preparation. */
  async write<K extends Kind>(
    kind: StreamKind<K>,
    stream: string,
    command: K['command'],
    clock: WriteClock | 'world',
    context: WriteContext,
  ): Promise<Outcome<K>> {
    const prepare = () => ({ clock, commands: [{ command }] });
    const [outcome] = await this.run({ ...kind, streams: [stream], prepare }, context);
    return outcome!;
  }

  /** Whether somebody has damaged a stream, as far as this process knows. */
  isDamaged(stream: string): boolean {
    return this.ports.damaged.findDamage(stream) !== undefined;
  }

  /**
   * Several runs, one after another, which use these names only. No other run of this process uses them meanwhile. A retry must
   * make the same runs again: each finds what an earlier attempt has appended.
   */
  inTurn<T>(names: readonly string[], context: WriteContext, work: (turn: Turn) => Promise<T>): Promise<T> {
    return this.alone(names, context, () =>
      work({
        write: (run, ofRun) => this.#write(run, ofRun),
        read: (kind, stream) => this.#readNewest(kind, stream),
      }),
    );
  }

  /** Runs work while no run uses these names. If it had to wait, it checks the caller's rights again. */
  alone<T>(
    names: readonly string[],
    context: Pick<WriteContext, 'assertRights'>,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.#mutex.run([...new Set(names)], async (waited) => {
      if (waited) await context.assertRights?.();
      return work();
    });
  }

  async #write<K extends Kind>(run: CommandRun<K>, context: WriteContext): Promise<readonly Outcome<K>[]> {
    const outcomes = new Array<Outcome<K>>(run.streams.length);
    let targets = this.#refuseDamaged(run, await this.#load(run, context), outcomes);
    for (let attempt = 1; targets.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) throw new WriteContendedError(targets[0]!.stream);
      if (attempt > 3) {
        await pause(this.ports.clock, backOff(attempt - 3, PAUSES_MS));
        await context.assertRights?.();
      }
      const decisions = await this.#decide(run, targets, context);
      const behind = await this.#behindLog(run.aggregate, decisions, context);
      const left = new Set(behind.map(({ index }) => index));
      const valid = decisions.filter(({ target }) => !left.has(target.index));
      for (const { target, outcome } of valid) outcomes[target.index] = outcome;
      const failed = await this.#store(run, valid, context);
      targets = this.#refuseDamaged(run, [...behind, ...failed], outcomes);
    }
    const completed = run.complete === undefined ? outcomes : await run.complete(outcomes);
    // Of `outcomes`: what `complete` adds is in no log.
    context.reservation?.wrote(outcomes.every((outcome) => outcome.kind === 'done' && outcome.changed));
    return completed;
  }

  async #readNewest<K extends Kind>(
    { aggregate, states }: StreamKind<K>,
    stream: string,
  ): Promise<Snapshot<K['state']> | undefined> {
    const shown = (await states?.load([stream]))?.[0];
    const { revision } = lastEventOf(shown);
    const newer = await readFrom<K['event']>(this.ports.store, aggregate, stream, revision + 1);
    return foldOnto(aggregate, shown, newer);
  }

  async #preview<K extends Kind>(run: CommandRun<K>, context: WriteContext): Promise<readonly Outcome<K>[]> {
    const outcomes = new Array<Outcome<K>>(run.streams.length);
    const loaded = await this.#load(run, { ...context, recovering: false });
    const targets = this.#refuseDamaged(run, loaded, outcomes);
    const decisions = targets.length === 0 ? [] : await this.#decide(run, targets, context);
    for (const { target, outcome } of decisions) outcomes[target.index] = outcome;
    return run.complete === undefined ? outcomes : run.complete(outcomes);
  }

  async #load<K extends Kind>(
    { aggregate, states, streams }: CommandRun<K>,
    { recovering, command_id }: WriteContext,
  ): Promise<TargetStream<K>[]> {
    const { tail } = this.ports;
    // Before the views are read: they may lack events that are before a later position.
    const { shownUpTo } = tail;
    if (streams.length > 1) tail.refresh();
    const snapshots = recovering ? [] : await states?.load(streams);
    const targets = streams.map((stream, index): TargetStream<K> => {
      const snapshot = snapshots?.[index];
      return { index, stream, snapshot, shownUpTo, unprojected: [], recovered: undefined, isFromLog: false };
    });
    return recovering || states === undefined
      ? readNewer(this.ports.store, aggregate, targets, command_id)
      : targets;
  }

  /**
   * A command that an earlier attempt has done before the damage keeps its answer.
   * @param outcomes gets the refusals
   * @returns the targets that can be written
   * @throws HistoryDamagedError
   */
  #refuseDamaged<K extends Kind>(
    { damaged: refusal }: CommandRun<K>,
    targets: readonly TargetStream<K>[],
    outcomes: Outcome<K>[],
  ): TargetStream<K>[] {
    return targets.filter(({ index, stream, recovered }) => {
      const damage = recovered === undefined ? this.ports.damaged.findDamage(stream) : undefined;
      if (damage === undefined) return true;
      if (refusal === undefined) throw new HistoryDamagedError(damage);
      outcomes[index] = { kind: 'rejected', refusal };
      return false;
    });
  }

  async #decide<K extends Kind>(
    run: CommandRun<K>,
    targets: readonly TargetStream<K>[],
    context: WriteContext,
  ): Promise<StreamDecision<K>[]> {
    const open = targets.map(({ index, snapshot }) => ({ index, state: snapshot?.state }));
    const { clock, commands } = await run.prepare(open);
    const decisions: StreamDecision<K>[] = [];
    for (const [index, target] of targets.entries()) {
      await TURNS.pauseIfLong();
      decisions.push(decideOne(run, target, commands[index]!, clock, context, this.ports));
    }
    return decisions;
  }

  /**
   * A decision without events (unchanged, or refused) may rest on a state that is behind the log. Then it reads the log.
   * @returns the targets that were behind or turned out to be damaged, to decide again or to refuse
   */
  async #behindLog<K extends Kind>(
    fold: Aggregate<K>,
    decisions: readonly StreamDecision<K>[],
    { command_id }: WriteContext,
  ): Promise<readonly TargetStream<K>[]> {
    const { tail } = this.ports;
    const withoutEvents: TargetStream<K>[] = [];
    for (const { events, target } of decisions)
      if (events.length === 0 && !target.isFromLog && tail.mayBeBehind(target.stream))
        withoutEvents.push(target);
    if (withoutEvents.length === 0) return [];
    const read = await readNewer(this.ports.store, fold, await tail.movedOn(withoutEvents), command_id);
    const behind = read.filter(
      ({ unprojected, recovered }) => unprojected.length > 0 || recovered !== undefined,
    );
    const behindStreams = new Set(behind.map(({ stream }) => stream));
    const damaged = withoutEvents.filter(
      ({ stream }) => this.isDamaged(stream) && !behindStreams.has(stream),
    );
    tail.settle(withoutEvents.flatMap(({ stream }) => (behindStreams.has(stream) ? [] : [stream])));
    return [...behind, ...damaged];
  }

  /**
   * Commits, then projects.
   * @returns the targets to decide again
   */
  async #store<K extends Kind>(
    { aggregate, projector }: CommandRun<K>,
    decisions: readonly StreamDecision<K>[],
    context: WriteContext,
  ): Promise<readonly TargetStream<K>[]> {
    // A stream that was read from the log may have events that the views do not show yet.
    const touched = decisions.filter(({ events, target }) => events.length > 0 || target.isFromLog);
    if (touched.length === 0) return [];
    const streams = touched.map(({ target }) => target.stream);
    try {
      const failed = await this.#commit(touched, context);
      await project(projector, changesIn(touched.filter(({ target }) => !failed.has(target))));
      this.ports.tail.settle(streams);
      const failedBy = (cause: Failure) =>
        [...failed].flatMap(([target, failure]) => (failure === cause ? [target] : []));
      const conflicted = await readNewer(
        this.ports.store,
        aggregate,
        failedBy('conflict'),
        context.command_id,
      );
      return [...failedBy('account_taken'), ...conflicted];
    } catch (error) {
      this.ports.tail.unsettle(streams);
      throw error;
    }
  }

  /** Appends the new events. @returns the targets whose append failed, and why */
  async #commit<K extends Kind>(
    decisions: readonly StreamDecision<K>[],
    { reservation, deadline, actor }: WriteContext,
  ): Promise<ReadonlyMap<TargetStream<K>, Failure>> {
    const failed = new Map<TargetStream<K>, Failure>();
    const fresh = decisions.filter(
      ({ events, target }) => events.length > 0 && target.recovered === undefined,
    );
    if (fresh.length === 0) return failed;
    const appends = fresh.map(({ target: { stream, snapshot }, events }) => {
      return { stream, expected: snapshot?.revision ?? 'no_stream', events } as unknown as StreamAppend;
    });
    const accounts = [...new Set(fresh.flatMap(({ account }) => account ?? []))];
    const outcomes = await this.ports.commit({ reservation, accounts, appends, deadline });
    TURNS.enter(actor.id);
    for (const [index, { target }] of fresh.entries()) {
      if (outcomes === 'account_taken') failed.set(target, outcomes);
      else if (outcomes[index]!.kind === 'conflict') failed.set(target, 'conflict');
    }
    return failed;
  }
}

/** Why nothing was appended to a stream. */
type Failure = 'conflict' | 'account_taken';

async function project<K extends Kind>(
  projector: Projector<K['state'], K['event']> | undefined,
  changes: readonly StreamChange<K['state'], K['event']>[],
): Promise<void> {
  if (changes.length > 0) await projector?.project(changes);
}
