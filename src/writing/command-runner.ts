import { backOff } from '../base/core/back-off.js';
import { KeyedMutex } from '../base/keyed-mutex.js';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { pause } from '../config/pause.js';
import type { Deadline } from '../config/yielder.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { DomainEvent } from '../log/domain-event.js';
import type { EventStore, StreamAppend } from '../log/event-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { Fold, Projector, StreamChange } from './aggregate.js';
import type {
  AnyRun,
  CommandRun,
  Commit,
  StreamDecision,
  Outcome,
  StreamKind,
  TargetStream,
  WriteClock,
} from './command-run.js';
import type { LogTail } from './log-tail.js';
import { changesIn, decideOne, readNewer } from './stored-stream.js';
import { WriteContendedError } from './write-contended.error.js';
import type { WriteContext } from './write-context.js';

/** Attempts of one run. A taken account and a state behind the log cost one attempt each. */
const ATTEMPTS = 10;
/** Milliseconds before the fourth attempt and each further one. */
const PAUSES = { first: 5, longest: 1_000 };

export interface CommandRunnerPorts {
  readonly store: EventStore;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tail: LogTail;
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
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError, UnknownEventError
   */
  run<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    context: WriteContext,
    dryRun = false,
  ): Promise<readonly Outcome<State, Result, Refusal>[]> {
    if (dryRun) return this.#preview(run, context);
    return this.alone([...run.streams, ...(run.names ?? [])], context, () => this.#write(run, context));
  }

  /** {@link run} for one stream whose command needs no preparation. */
  async write<State, Event extends DomainEvent, Command, Result, Refusal>(
    kind: StreamKind<State, Event, Command, Result, Refusal>,
    stream: string,
    command: Command,
    clock: WriteClock | 'world',
    context: WriteContext,
  ): Promise<Outcome<State, Result, Refusal>> {
    const prepare = () => ({ clock, commands: [{ command }] });
    const [outcome] = await this.run({ ...kind, streams: [stream], prepare }, context);
    return outcome!;
  }

  /** Runs work while no run uses these names. If it had to wait, it checks the caller's rights again. */
  alone<T>(names: readonly string[], context: WriteContext, work: () => Promise<T>): Promise<T> {
    return this.#mutex.run([...new Set(names)], async (waited) => {
      if (waited) await context.demandRights?.();
      return work();
    });
  }

  async #write<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    context: WriteContext,
  ): Promise<readonly Outcome<State, Result, Refusal>[]> {
    const outcomes = new Array<Outcome<State, Result, Refusal>>(run.streams.length);
    let completed: readonly Outcome<State, Result, Refusal>[] = outcomes;
    let targets = await this.#load(run, context);
    for (let attempt = 1; targets.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) throw new WriteContendedError(targets[0]!.stream);
      if (attempt > 3) {
        await pause(this.ports.clock, backOff(attempt - 3, PAUSES));
        await context.demandRights?.();
      }
      const decisions = await this.#decide(run, targets, context);
      const behind = await this.#behindLog(run.aggregate, decisions, context);
      const left = new Set(behind.map(({ index }) => index));
      const valid = decisions.filter(({ target }) => !left.has(target.index));
      for (const { target, outcome } of valid) outcomes[target.index] = outcome;
      const complete = behind.length === 0 ? run.complete : undefined;
      const again = await this.#store(
        run,
        valid,
        context,
        complete && (async () => void (completed = await complete(outcomes))),
      );
      targets = [...behind, ...again];
    }
    context.reservation?.wrote(outcomes.every((outcome) => outcome.kind === 'done' && outcome.changed));
    return completed;
  }

  async #preview<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    context: WriteContext,
  ): Promise<readonly Outcome<State, Result, Refusal>[]> {
    const targets = await this.#load(run, { ...context, recovering: false });
    const outcomes = (await this.#decide(run, targets, context)).map(({ outcome }) => outcome);
    return run.complete === undefined ? outcomes : run.complete(outcomes);
  }

  async #load<State, Event extends DomainEvent>(
    { aggregate, states, streams }: AnyRun<State, Event>,
    { recovering, command_id }: WriteContext,
  ): Promise<TargetStream<State, Event>[]> {
    const { tail } = this.ports;
    // Before the views are read: they may lack events that are before a later position.
    const { shownUpTo } = tail;
    if (streams.length > 1) tail.refresh();
    const snapshots = recovering ? [] : await states?.load(streams);
    const targets = streams.map((stream, index): TargetStream<State, Event> => {
      const snapshot = snapshots?.[index];
      return { index, stream, snapshot, shownUpTo, unprojected: [], recovered: undefined, isFromLog: false };
    });
    return recovering || states === undefined
      ? readNewer(this.ports.store, aggregate, targets, command_id)
      : targets;
  }

  async #decide<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    targets: readonly TargetStream<State, Event>[],
    context: WriteContext,
  ): Promise<StreamDecision<State, Event, Result, Refusal>[]> {
    const open = targets.map(({ index, snapshot }) => ({ index, state: snapshot?.state }));
    const { clock, commands } = await run.prepare(open);
    return targets.map((target, index) =>
      decideOne(run, target, commands[index]!, clock, context, this.ports),
    );
  }

  /**
   * Before it answers "unchanged", it reads the log if the state may be behind it.
   * @returns the targets that were behind, to decide again
   */
  async #behindLog<State, Event extends DomainEvent>(
    fold: Fold<State, Event>,
    decisions: readonly StreamDecision<State, Event, unknown, unknown>[],
    { command_id }: WriteContext,
  ): Promise<readonly TargetStream<State, Event>[]> {
    const { tail } = this.ports;
    const unchanged: TargetStream<State, Event>[] = [];
    for (const { events, target } of decisions)
      if (events.length === 0 && !target.isFromLog && tail.mayBeBehind(target.stream)) unchanged.push(target);
    if (unchanged.length === 0) return [];
    const read = await readNewer(this.ports.store, fold, await tail.movedOn(unchanged), command_id);
    const behind = read.filter(
      ({ unprojected, recovered }) => unprojected.length > 0 || recovered !== undefined,
    );
    const behindStreams = new Set(behind.map(({ stream }) => stream));
    tail.settle(unchanged.flatMap(({ stream }) => (behindStreams.has(stream) ? [] : [stream])));
    return behind;
  }

  /**
   * Commits, then projects.
   * @param complete runs during the projection if no target must be decided again
   * @returns the targets to decide again
   */
  async #store<State, Event extends DomainEvent>(
    { aggregate, projector }: AnyRun<State, Event>,
    decisions: readonly StreamDecision<State, Event, unknown, unknown>[],
    context: WriteContext,
    complete?: () => Promise<void>,
  ): Promise<readonly TargetStream<State, Event>[]> {
    const touched = decisions.filter(({ events, target }) => events.length > 0 || target.isFromLog);
    if (touched.length === 0) {
      await complete?.();
      return [];
    }
    const streams = touched.map(({ target }) => target.stream);
    const changes = changesIn(touched);
    try {
      const prepared = changes.length === 0 ? undefined : projector?.prepare?.(changes);
      const failed = await this.#commit(touched, context);
      if (failed.size === 0) {
        const projecting = project(projector, changes, prepared);
        await (complete === undefined ? projecting : bothOf(projecting, complete()));
        this.ports.tail.settle(streams);
        return [];
      }
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
  async #commit<State, Event extends DomainEvent>(
    decisions: readonly StreamDecision<State, Event, unknown, unknown>[],
    { reservation, deadline }: WriteContext,
  ): Promise<ReadonlyMap<TargetStream<State, Event>, Failure>> {
    const failed = new Map<TargetStream<State, Event>, Failure>();
    const fresh = decisions.filter(
      ({ events, target }) => events.length > 0 && target.recovered === undefined,
    );
    if (fresh.length === 0) return failed;
    const appends = fresh.map(({ target: { stream, snapshot }, events }) => {
      return { stream, expected: snapshot?.revision ?? 'no_stream', events } as unknown as StreamAppend;
    });
    const accounts = [...new Set(fresh.flatMap(({ account }) => account ?? []))];
    const outcomes = await this.ports.commit({ reservation, accounts, appends, deadline });
    for (const [index, { target }] of fresh.entries()) {
      if (outcomes === 'account_taken') failed.set(target, outcomes);
      else if (outcomes[index]!.kind === 'conflict') failed.set(target, 'conflict');
    }
    return failed;
  }
}

/** Why nothing was appended to a stream. */
type Failure = 'conflict' | 'account_taken';

/** Waits for both, also if one of them fails. @throws the error of the first, or else of the second */
async function bothOf(one: Promise<void>, other: Promise<void>): Promise<void> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
}

async function project<State, Event extends DomainEvent>(
  projector: Projector<State, Event> | undefined,
  changes: readonly StreamChange<State, Event>[],
  prepared?: unknown,
): Promise<void> {
  if (changes.length > 0) await projector?.project(changes, prepared);
}

type Stores = { readonly log: Pick<EventStore, 'append'>; readonly records: Pick<DocumentStore, 'write'> };

/** For embedded stores: log and records share one group commit, so all writes are stored or none. */
export function commitTogether({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    demandTime(deadline);
    // Without an `await` between the calls, so that one commit contains all three.
    const reserved = reservation?.reserve();
    const inserted = accounts.length === 0 ? undefined : records.write(accounts);
    const [outcomes] = await Promise.all([log.append(appends), reserved, inserted]);
    return outcomes;
  };
}

/** For servers: the records first, then the events. A failure in between leaves accounts that no event names. */
export function commitInOrder({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    demandTime(deadline);
    const [inserted = []] = await Promise.all([
      accounts.length === 0 ? undefined : records.write(accounts),
      reservation?.reserve(),
    ]);
    if (inserted.some(({ kind }) => kind !== 'written')) return 'account_taken';
    demandTime(deadline);
    return log.append(appends);
  };
}

function demandTime(deadline: Deadline | undefined): void {
  if (deadline?.isOver !== true) return;
  throw new StoreUnavailableError('Request timed out before the append; nothing was written.', false);
}
