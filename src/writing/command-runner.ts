import { backOff } from '../base/core/back-off.js';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { pause } from '../config/pause.js';
import type { Deadline } from '../config/yielder.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { AppendOutcome, EventStore, StreamAppend } from '../log/event-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { Aggregate, Fold, Projector, Snapshot, StateLoader, StreamChange } from './aggregate.js';
import type { CommandRun, Outcome, PreparedCommand, StreamKind, WriteClock } from './command-run.js';
import { KeyedMutex } from '../base/keyed-mutex.js';
import type { LogTail } from './log-tail.js';
import { chain, foldOnto, lastEventOf, readFrom, snapshotAt } from './stored-stream.js';
import { WriteContendedError } from './write-contended.error.js';
import type { CommandReservation, WriteContext } from './write-context.js';

/** Attempts of one run. A taken account and a state behind the log cost one attempt each. */
const ATTEMPTS = 10;
/** Milliseconds before the fourth attempt and each further one. */
const PAUSES = { first: 5, longest: 1_000 };

/** A run without its commands. */
interface AnyRun<State, Event extends DomainEvent> {
  readonly aggregate: Fold<State, Event>;
  readonly states?: StateLoader<State> | undefined;
  readonly projector?: Projector<State, Event> | undefined;
  readonly streams: readonly string[];
}

export interface CommandRunnerPorts {
  readonly store: EventStore;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tail: LogTail;
}

/** A stream that the command writes, and its state for the next attempt. */
interface Target<State, Event extends DomainEvent> {
  readonly index: number;
  readonly stream: string;
  readonly snapshot: Snapshot<State> | undefined;
  readonly shownUpTo: bigint | undefined;
  /** Events of the log that the views may not show yet, without those in `recovered`. */
  readonly unprojected: readonly StoredDomainEvent<Event>[];
  /** Events that an earlier attempt at the same command has stored. */
  readonly recovered: readonly StoredDomainEvent<Event>[] | undefined;
  /** True if the log was read up to its end. */
  readonly isFromLog: boolean;
}

/** The decision for one target. */
interface Decision<State, Event extends DomainEvent, Result, Refusal> {
  readonly target: Target<State, Event>;
  readonly account: DocumentWrite | undefined;
  /** Events to append, or events that an earlier attempt has appended. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State> | undefined;
  readonly outcome: Outcome<State, Result, Refusal>;
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
      const valid = behind.length === 0 ? decisions : without(decisions, behind);
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
  ): Promise<Target<State, Event>[]> {
    const { tail } = this.ports;
    // Before the views are read: they may lack events that are before a later position.
    const { shownUpTo } = tail;
    if (streams.length > 1) tail.refresh();
    const snapshots = recovering ? [] : await states?.load(streams);
    const targets = streams.map((stream, index): Target<State, Event> => {
      const snapshot = snapshots?.[index];
      return { index, stream, snapshot, shownUpTo, unprojected: [], recovered: undefined, isFromLog: false };
    });
    return recovering || states === undefined ? this.#readNewer(aggregate, targets, command_id) : targets;
  }

  async #decide<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    targets: readonly Target<State, Event>[],
    context: WriteContext,
  ): Promise<Decision<State, Event, Result, Refusal>[]> {
    const open = targets.map(({ index, snapshot }) => ({ index, state: snapshot?.state }));
    const { clock, commands } = await run.prepare(open);
    return targets.map((target, index) => this.#decideOne(run, target, commands[index]!, clock, context));
  }

  #decideOne<State, Event extends DomainEvent, Command, Result, Refusal>(
    { aggregate, bulk }: CommandRun<State, Event, Command, Result, Refusal>,
    target: Target<State, Event>,
    { command, account }: PreparedCommand<Command>,
    clock: WriteClock | 'world',
    context: WriteContext,
  ): Decision<State, Event, Result, Refusal> {
    const { stream, snapshot, recovered } = target;
    if (recovered !== undefined) return decideAgain(aggregate, target, command, recovered);
    const now = Math.max((clock === 'world' ? this.ports.clock : clock).now(), lastEventOf(snapshot).last_at);
    const real_time = clock !== 'world' && clock.ahead > 0 ? this.ports.clock.now() : undefined;
    const decided = aggregate.decide(snapshot?.state, command, now);
    if ('rejected' in decided) {
      const outcome = { kind: 'rejected', refusal: decided.rejected } as const;
      return { target, account, events: [], after: snapshot, outcome };
    }
    const { result, state } = decided;
    const draft = { stream, snapshot, events: decided.events, types: aggregate.types, now, real_time, bulk };
    const events = chain(draft, context, this.ports.ids);
    const last = events.at(-1);
    const after =
      last === undefined || state === undefined
        ? foldOnto(aggregate, snapshot, events)
        : snapshotAt(state, last);
    const changed = last !== undefined;
    const outcome = { kind: 'done', result, before: snapshot, after, applied_at: now, changed } as const;
    return { target, account, events, after, outcome };
  }

  /**
   * Before it answers "unchanged", it reads the log if the state may be behind it.
   * @returns the targets that were behind, to decide again
   */
  async #behindLog<State, Event extends DomainEvent>(
    fold: Fold<State, Event>,
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    { command_id }: WriteContext,
  ): Promise<readonly Target<State, Event>[]> {
    const { tail } = this.ports;
    const unchanged: Target<State, Event>[] = [];
    for (const { events, target } of decisions)
      if (events.length === 0 && !target.isFromLog && tail.mayBeBehind(target.stream)) unchanged.push(target);
    if (unchanged.length === 0) return [];
    const read = await this.#readNewer(fold, await tail.movedOn(unchanged), command_id);
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
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    context: WriteContext,
    complete?: () => Promise<void>,
  ): Promise<readonly Target<State, Event>[]> {
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
      const conflicted = await this.#readNewer(aggregate, failedBy('conflict'), context.command_id);
      return [...failedBy('account_taken'), ...conflicted];
    } catch (error) {
      this.ports.tail.unsettle(streams);
      throw error;
    }
  }

  /** Appends the new events. @returns the targets whose append failed, and why */
  async #commit<State, Event extends DomainEvent>(
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    { reservation, deadline }: WriteContext,
  ): Promise<ReadonlyMap<Target<State, Event>, Failure>> {
    const failed = new Map<Target<State, Event>, Failure>();
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

  /** Reads newer events from the log. If this command was done before, it takes only the events before the command's. */
  async #readNewer<State, Event extends DomainEvent>(
    fold: Fold<State, Event>,
    targets: readonly Target<State, Event>[],
    command_id: string,
  ): Promise<Target<State, Event>[]> {
    return Promise.all(
      targets.map(async (target) => {
        const from = lastEventOf(target.snapshot).revision + 1;
        const events = await readFrom<Event>(this.ports.store, fold, target.stream, from);
        const own = events.filter((event) => event.metadata.command_id === command_id);
        const earlier = own.length === 0 ? events : events.slice(0, own[0]!.revision - from);
        const snapshot = foldOnto(fold, target.snapshot, earlier);
        const unprojected = [...target.unprojected, ...earlier];
        const recovered = own.length === 0 ? undefined : own;
        return { ...target, snapshot, unprojected, recovered, isFromLog: true };
      }),
    );
  }
}

/** Why nothing was appended to a stream. */
type Failure = 'conflict' | 'account_taken';

/** The decisions for all other targets. */
function without<State, Event extends DomainEvent, Result, Refusal>(
  decisions: readonly Decision<State, Event, Result, Refusal>[],
  targets: readonly Target<State, Event>[],
): Decision<State, Event, Result, Refusal>[] {
  const left = new Set(targets.map(({ index }) => index));
  return decisions.filter(({ target }) => !left.has(target.index));
}

/** Waits for both, also if one of them fails. @throws the error of the first, or else of the second */
async function bothOf(one: Promise<void>, other: Promise<void>): Promise<void> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
}

function changesIn<State, Event extends DomainEvent>(
  decisions: readonly Decision<State, Event, unknown, unknown>[],
): StreamChange<State, Event>[] {
  return decisions.flatMap(({ target: { stream, unprojected }, events, after }) => {
    const all = unprojected.length === 0 ? events : [...unprojected, ...events];
    return all.length === 0 ? [] : [{ stream, events: all, after: after! }];
  });
}

async function project<State, Event extends DomainEvent>(
  projector: Projector<State, Event> | undefined,
  changes: readonly StreamChange<State, Event>[],
  prepared?: unknown,
): Promise<void> {
  if (changes.length > 0) await projector?.project(changes, prepared);
}

/** Repeats the decision that stored these events, on the state before them and at their instant. */
function decideAgain<State, Event extends DomainEvent, Command, Result, Refusal>(
  aggregate: Aggregate<State, Event, Command, Result, Refusal>,
  target: Target<State, Event>,
  prepared: Command,
  stored: readonly StoredDomainEvent<Event>[],
): Decision<State, Event, Result, Refusal> {
  const { stream, snapshot } = target;
  const command = aggregate.asStored?.(prepared, stored) ?? prepared;
  const applied_at = Date.parse(stored[0]!.metadata.occurred_at);
  const decided = aggregate.decide(snapshot?.state, command, applied_at);
  if ('rejected' in decided)
    throw new Error(`A repeated command with stored events in ${stream} was refused.`);
  const after = foldOnto(aggregate, snapshot, stored);
  const { result } = decided;
  const outcome = { kind: 'done', result, before: snapshot, after, applied_at, changed: true } as const;
  return { target, account: undefined, events: stored, after, outcome };
}

/** The writes of one command. */
export interface CommitRequest {
  readonly reservation: CommandReservation | undefined;
  /** Inserts of new tenant accounts that the events name. */
  readonly accounts: readonly DocumentWrite[];
  readonly appends: readonly StreamAppend[];
  /** Nothing is appended after it. */
  readonly deadline: Deadline | undefined;
}

/**
 * Makes a command durable. It stores accounts and the reservation before, or together with, the events that name them.
 * @returns one outcome for each append; `account_taken` if another process has inserted one of the accounts: then nothing
 *   was appended
 * @throws StoreUnavailableError
 */
export type Commit = (request: CommitRequest) => Promise<readonly AppendOutcome[] | 'account_taken'>;

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
