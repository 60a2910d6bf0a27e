import { backOff } from '../base/core/back-off.js';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { pause } from '../config/pause.js';
import type { Deadline } from '../config/breath.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { AppendOutcome, EventStore, StreamAppend } from '../log/event-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { Aggregate, Fold, Projector, Snapshot, StateLoader, StreamChange } from './aggregate.js';
import type { CommandRun, Outcome, PreparedCommand, StreamKind, WriteClock } from './command-run.js';
import { KeyedMutex } from './keyed-mutex.js';
import type { LogTail } from './log-tail.js';
import { chain, foldOnto, headOf, readFrom, snapshotAt } from './stored-stream.js';
import { WriteContendedError } from './write-contended.error.js';
import type { CommandReservation, WriteContext } from './write-context.js';

/**
 * Attempts for one stream, and the pause before the fourth in milliseconds; it doubles with each further one. An account that
 * was presumed new and a state that was late cost one attempt each.
 */
const ATTEMPTS = 10;
const PAUSES = { first: 5, longest: 1_000 };

/** A run without its commands. */
interface AnyRun<State, Event extends DomainEvent> {
  readonly aggregate: Fold<State, Event>;
  readonly states: StateLoader<State>;
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

/** A stream as far as its command has come. */
interface Piece<State, Event extends DomainEvent> {
  readonly index: number;
  readonly stream: string;
  readonly snapshot: Snapshot<State> | undefined;
  readonly shownUpTo: bigint | undefined;
  /** Events of the log that the views may not show yet, without those in `recovered`. */
  readonly news: readonly StoredDomainEvent<Event>[];
  /** Events that an earlier attempt at the same command has stored. */
  readonly recovered: readonly StoredDomainEvent<Event>[] | undefined;
  /** The state was read from the log. */
  readonly isRead: boolean;
}

/** A piece that was decided. */
interface Decision<State, Event extends DomainEvent, Result, Refusal> {
  readonly piece: Piece<State, Event>;
  readonly account: DocumentWrite | undefined;
  /** To be appended, or appended by an earlier attempt. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State> | undefined;
  readonly outcome: Outcome<State, Result, Refusal>;
}

/**
 * The one way to write, for 1 or 500 streams alike: load, prepare, decide, commit, project, answer. Runs of one process that
 * share a stream or a name follow one another. After a conflict with another process the stream is read and decided again. A
 * command that an earlier attempt has done is found in the log and not done twice (docs/design.md).
 */
export class CommandRunner {
  readonly #mutex = new KeyedMutex();

  constructor(private readonly ports: CommandRunnerPorts) {}

  /**
   * @param dryRun decides as otherwise and stores nothing
   * @returns outcomes in the order of the streams, after the read models show every change
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError (conflict after conflict), UnknownEventError
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

  /** Runs work while no run uses these names. The caller's rights are judged again if it had to wait. */
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
    let open = await this.#open(run, context);
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) throw new WriteContendedError(open[0]!.stream);
      if (attempt > 3) {
        await pause(this.ports.clock, backOff(attempt - 3, PAUSES));
        await context.demandRights?.();
      }
      const decisions = await this.#decide(run, open, context);
      const late = await this.#late(run.aggregate, decisions, context);
      const standing = late.length === 0 ? decisions : without(decisions, late);
      for (const { piece, outcome } of standing) outcomes[piece.index] = outcome;
      const complete = late.length === 0 ? run.complete : undefined;
      const again = await this.#store(
        run,
        standing,
        context,
        complete && (async () => void (completed = await complete(outcomes))),
      );
      open = [...late, ...again];
    }
    context.reservation?.wrote(outcomes.every((outcome) => outcome.kind === 'done' && outcome.changed));
    return completed;
  }

  async #preview<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    context: WriteContext,
  ): Promise<readonly Outcome<State, Result, Refusal>[]> {
    const pieces = await this.#open(run, { ...context, recovering: false });
    const outcomes = (await this.#decide(run, pieces, context)).map(({ outcome }) => outcome);
    return run.complete === undefined ? outcomes : run.complete(outcomes);
  }

  async #open<State, Event extends DomainEvent>(
    { aggregate, states, streams }: AnyRun<State, Event>,
    { recovering, command_id }: WriteContext,
  ): Promise<Piece<State, Event>[]> {
    const { tail } = this.ports;
    // Taken before the views are read: a later position may vouch for what they did not show yet.
    const { shownUpTo } = tail;
    if (streams.length > 1) tail.refresh();
    const snapshots = recovering ? [] : await states.load(streams);
    const pieces = streams.map((stream, index): Piece<State, Event> => {
      const snapshot = snapshots[index];
      return { index, stream, snapshot, shownUpTo, news: [], recovered: undefined, isRead: false };
    });
    return recovering ? this.#readOn(aggregate, pieces, command_id) : pieces;
  }

  async #decide<State, Event extends DomainEvent, Command, Result, Refusal>(
    run: CommandRun<State, Event, Command, Result, Refusal>,
    pieces: readonly Piece<State, Event>[],
    context: WriteContext,
  ): Promise<Decision<State, Event, Result, Refusal>[]> {
    const open = pieces.map(({ index, snapshot }) => ({ index, state: snapshot?.state }));
    const { clock, commands } = await run.prepare(open);
    return pieces.map((piece, place) => this.#decideOne(run, piece, commands[place]!, clock, context));
  }

  #decideOne<State, Event extends DomainEvent, Command, Result, Refusal>(
    { aggregate, bulk }: CommandRun<State, Event, Command, Result, Refusal>,
    piece: Piece<State, Event>,
    { command, account }: PreparedCommand<Command>,
    clock: WriteClock | 'world',
    context: WriteContext,
  ): Decision<State, Event, Result, Refusal> {
    const { stream, snapshot, recovered } = piece;
    if (recovered !== undefined) return decideAgain(aggregate, piece, command, recovered);
    const now = Math.max((clock === 'world' ? this.ports.clock : clock).now(), headOf(snapshot).last_at);
    const real_time = clock !== 'world' && clock.ahead > 0 ? this.ports.clock.now() : undefined;
    const decided = aggregate.decide(snapshot?.state, command, now);
    if ('rejected' in decided) {
      const outcome = { kind: 'rejected', refusal: decided.rejected } as const;
      return { piece, account, events: [], after: snapshot, outcome };
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
    return { piece, account, events, after, outcome };
  }

  /**
   * "Unchanged" is an answer about the log, so the log is asked where a state may be behind it.
   * @returns the pieces that were behind, to be decided again
   */
  async #late<State, Event extends DomainEvent>(
    fold: Fold<State, Event>,
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    { command_id }: WriteContext,
  ): Promise<readonly Piece<State, Event>[]> {
    const { tail } = this.ports;
    const pieces: Piece<State, Event>[] = [];
    for (const { events, piece } of decisions)
      if (events.length === 0 && !piece.isRead && tail.mayBeBehind(piece.stream)) pieces.push(piece);
    if (pieces.length === 0) return [];
    const read = await this.#readOn(fold, await tail.movedOn(pieces), command_id);
    const late = read.filter(({ news, recovered }) => news.length > 0 || recovered !== undefined);
    const lateOnes = new Set(late.map(({ stream }) => stream));
    tail.settle(pieces.flatMap(({ stream }) => (lateOnes.has(stream) ? [] : [stream])));
    return late;
  }

  /**
   * Commits, then projects.
   * @param complete begun beside the projection where nothing is decided again
   * @returns the pieces that must be decided again
   */
  async #store<State, Event extends DomainEvent>(
    { aggregate, projector }: AnyRun<State, Event>,
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    context: WriteContext,
    complete?: () => Promise<void>,
  ): Promise<readonly Piece<State, Event>[]> {
    const touched = decisions.filter(({ events, piece }) => events.length > 0 || piece.isRead);
    if (touched.length === 0) {
      await complete?.();
      return [];
    }
    const streams = touched.map(({ piece }) => piece.stream);
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
      await project(projector, changesIn(touched.filter(({ piece }) => !failed.has(piece))));
      this.ports.tail.settle(streams);
      const conflicted = [...failed].flatMap(([piece, failure]) => (failure === 'conflict' ? [piece] : []));
      const taken = [...failed].flatMap(([piece, failure]) => (failure === 'account_taken' ? [piece] : []));
      return [...taken, ...(await this.#readOn(aggregate, conflicted, context.command_id))];
    } catch (error) {
      this.ports.tail.unsettle(streams);
      throw error;
    }
  }

  /** Appends what was decided anew. @returns of which pieces nothing was appended, and why */
  async #commit<State, Event extends DomainEvent>(
    decisions: readonly Decision<State, Event, unknown, unknown>[],
    { reservation, deadline }: WriteContext,
  ): Promise<ReadonlyMap<Piece<State, Event>, 'conflict' | 'account_taken'>> {
    const failed = new Map<Piece<State, Event>, 'conflict' | 'account_taken'>();
    const fresh = decisions.filter(({ events, piece }) => events.length > 0 && piece.recovered === undefined);
    if (fresh.length === 0) return failed;
    const appends = fresh.map(({ piece: { stream, snapshot }, events }) => {
      return { stream, expected: snapshot?.revision ?? 'no_stream', events } as unknown as StreamAppend;
    });
    const accounts = [...new Set(fresh.flatMap(({ account }) => account ?? []))];
    const outcomes = await this.ports.commit({ reservation, accounts, appends, deadline });
    for (const [place, { piece }] of fresh.entries()) {
      if (outcomes === 'account_taken') failed.set(piece, outcomes);
      else if (outcomes[place]!.kind === 'conflict') failed.set(piece, 'conflict');
    }
    return failed;
  }

  /** Reads what the log holds beyond the folds at hand, up to where this very command began if it was done before. */
  async #readOn<State, Event extends DomainEvent>(
    fold: Fold<State, Event>,
    pieces: readonly Piece<State, Event>[],
    command_id: string,
  ): Promise<Piece<State, Event>[]> {
    return Promise.all(
      pieces.map(async (piece) => {
        const from = headOf(piece.snapshot).revision + 1;
        const events = await readFrom<Event>(this.ports.store, fold, piece.stream, from);
        const own = events.filter((event) => event.metadata.command_id === command_id);
        const others = own.length === 0 ? events : events.slice(0, own[0]!.revision - from);
        const snapshot = foldOnto(fold, piece.snapshot, others);
        const recovered = own.length === 0 ? undefined : own;
        return { ...piece, snapshot, news: [...piece.news, ...others], recovered, isRead: true };
      }),
    );
  }
}

/** The decisions on other pieces. */
function without<State, Event extends DomainEvent, Result, Refusal>(
  decisions: readonly Decision<State, Event, Result, Refusal>[],
  pieces: readonly Piece<State, Event>[],
): Decision<State, Event, Result, Refusal>[] {
  const left = new Set(pieces.map(({ index }) => index));
  return decisions.filter(({ piece }) => !left.has(piece.index));
}

/** Waits for both, also where one of them fails. @throws what the first that failed throws */
async function bothOf(one: Promise<void>, other: Promise<void>): Promise<void> {
  const [first, second] = await Promise.allSettled([one, other]);
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
}

function changesIn<State, Event extends DomainEvent>(
  decisions: readonly Decision<State, Event, unknown, unknown>[],
): StreamChange<State, Event>[] {
  return decisions.flatMap(({ piece: { stream, news }, events, after }) => {
    const all = news.length === 0 ? events : [...news, ...events];
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

/** The answer of the attempt that stored these events: decided on the state before them, at their instant. */
function decideAgain<State, Event extends DomainEvent, Command, Result, Refusal>(
  aggregate: Aggregate<State, Event, Command, Result, Refusal>,
  piece: Piece<State, Event>,
  prepared: Command,
  stored: readonly StoredDomainEvent<Event>[],
): Decision<State, Event, Result, Refusal> {
  const { stream, snapshot } = piece;
  const command = aggregate.asStored?.(prepared, stored) ?? prepared;
  const applied_at = Date.parse(stored[0]!.metadata.occurred_at);
  const decided = aggregate.decide(snapshot?.state, command, applied_at);
  if ('rejected' in decided) throw new Error(`What was stored in ${stream} is refused on recovery.`);
  const after = foldOnto(aggregate, snapshot, stored);
  const { result } = decided;
  const outcome = { kind: 'done', result, before: snapshot, after, applied_at, changed: true } as const;
  return { piece, account: undefined, events: stored, after, outcome };
}

/** The things that one command makes durable. */
export interface CommitRequest {
  readonly reservation: CommandReservation | undefined;
  /** Inserts of new tenant accounts that the events name. */
  readonly accounts: readonly DocumentWrite[];
  readonly appends: readonly StreamAppend[];
  /** Nothing is appended once it is over. */
  readonly deadline: Deadline | undefined;
}

/**
 * Makes a command durable: no event names an account that is not stored, and no event of a keyed command is stored before its
 * reservation. Answers one outcome for each append, or `account_taken`: another process has inserted one of the accounts, and
 * nothing was appended.
 * @throws StoreUnavailableError
 */
export type Commit = (request: CommitRequest) => Promise<readonly AppendOutcome[] | 'account_taken'>;

type Stores = { readonly log: Pick<EventStore, 'append'>; readonly records: Pick<DocumentStore, 'write'> };

/** For embedded stores: log and records share one group commit, in the order asked. All of it is stored or nothing. */
export function commitTogether({ log, records }: Stores): Commit {
  return async ({ reservation, accounts, appends, deadline }) => {
    demandTime(deadline);
    // Asked for before anything is awaited, so that one commit holds all three.
    const reserved = reservation?.reserve();
    const inserted = accounts.length === 0 ? undefined : records.write(accounts);
    const [outcomes] = await Promise.all([log.append(appends), reserved, inserted]);
    return outcomes;
  };
}

/** For servers: the records first, then the events. A failure in between leaves accounts without a person. */
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
