import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { pause } from '../config/pause.js';
import type { DocumentStore, DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { EventStore, StreamAppend } from '../log/event-store.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { Aggregate, Projection, Snapshot, StreamChange } from './aggregate.js';
import { chain } from './event-chain.js';
import { KeyedMutex } from './keyed-mutex.js';
import type { LogTail } from './log-tail.js';
import type { ProjectionsInFlight } from './projections-in-flight.js';
import { foldOnto, headOf, readFrom, snapshotAt } from './stored-stream.js';
import { UnsettledStreams } from './unsettled-streams.js';
import type { ViewsGate } from './views-gate.js';
import { WriteContendedError } from './write-contended.error.js';
import type { WriteContext } from './write-context.js';
import type { WriteOutcome } from './write-outcome.js';

/** How often one stream's part is decided before the write gives up, and how long the second attempt waits. */
const ATTEMPTS = 10;
const FIRST_PAUSE_MILLISECONDS = 5;

/** What is asked of one stream. */
export interface WritePart<Command> {
  readonly stream: string;
  readonly command: Command;
  /**
   * A record that the events name, to be durable no later than they: stored only where the part appends. Unless log and
   * records commit together, it may stand where the append failed.
   */
  readonly names?: DocumentWrite | undefined;
}

/** Folds that were at hand when names were looked up, in the order of the streams, and of which views they are. */
export interface Loaded<State> {
  readonly snapshots: readonly (Snapshot<State> | undefined)[];
  readonly turn: number;
  /** Events up to here were in the views before they were read. */
  readonly shownUpTo?: bigint | undefined;
}

/** A kind of write: what decides, and where what it decides on is kept. */
export interface Writing<State, Event extends DomainEvent, Command, Result, Refusal> {
  readonly aggregate: Aggregate<State, Event, Command, Result, Refusal>;
  readonly projection: Projection<State, Event>;
  /** By what time is decided: a company's, or the world's (docs/adr/0010). */
  readonly clock: WriteClock | 'world';
}

/** A clock that may be ahead of the world's. */
export interface WriteClock extends Pick<Clock, 'now'> {
  /** In milliseconds. */
  readonly ahead: number;
}

export interface StreamWriterPorts {
  readonly store: EventStore;
  readonly records: Pick<DocumentStore, 'write'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inFlight: ProjectionsInFlight;
  readonly gate: ViewsGate;
  /** Nobody else writes to these stores: what this process has written, it knows. */
  readonly singleProcess: boolean;
  /** The log and the records commit together what one turn asks of them, in the order asked. */
  readonly commitsTogether: boolean;
  /** Where others write as well: tells what they have written. */
  readonly tail?: LogTail | undefined;
}

/** A part as far as it has come. */
interface Piece<State, Event extends DomainEvent, Command> extends WritePart<Command> {
  readonly index: number;
  readonly snapshot: Snapshot<State> | undefined;
  readonly shownUpTo: bigint | undefined;
  /** What the log held beyond the fold that was at hand, before what is recovered: the views may not show it yet. */
  readonly news: readonly StoredDomainEvent<Event>[];
  /** Events that an earlier attempt at the same command has stored. */
  readonly recovered: readonly StoredDomainEvent<Event>[] | undefined;
  /** The fold was brought up to the end of the stream in the log. */
  readonly isRead: boolean;
}

/** A piece that was decided. */
interface Decision<State, Event extends DomainEvent, Command, Result, Refusal> {
  readonly piece: Piece<State, Event, Command>;
  /** To be appended, or appended by an earlier attempt. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State> | undefined;
  readonly outcome: WriteOutcome<State, Result, Refusal>;
}

/**
 * The one way to write: load N, decide N, append N in one call, project N. In one process writes to one stream follow one
 * another; a conflict with another process is decided again, and a command that an attempt before this one has done is
 * not done twice (docs/design.md).
 */
export class StreamWriter {
  readonly #mutex = new KeyedMutex();
  readonly #unsettled = new UnsettledStreams();

  constructor(private readonly ports: StreamWriterPorts) {}

  /** What is at hand, for whoever must know it to put commands together. @throws StoreUnavailableError */
  async load<State, Event extends DomainEvent>(
    projection: Projection<State, Event>,
    streams: readonly string[],
  ): Promise<Loaded<State>> {
    const { gate, tail } = this.ports;
    const { turn } = gate;
    const shownUpTo = tail?.shownUpTo;
    if (streams.length > 1) tail?.refresh();
    return { snapshots: await projection.load(streams), turn, shownUpTo };
  }

  /**
   * @param parts of distinct streams of the aggregate's category.
   * @param loaded folds of these streams that are at hand; loaded here where absent, or overtaken within this process.
   * @returns outcomes in the order of `parts`, after the views of every changed stream have been applied.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError (conflict after conflict), UnknownEventError
   */
  async write<State, Event extends DomainEvent, Command, Result, Refusal>(
    writing: Writing<State, Event, Command, Result, Refusal>,
    parts: readonly WritePart<Command>[],
    context: WriteContext,
    loaded?: Loaded<State>,
  ): Promise<WriteOutcome<State, Result, Refusal>[]> {
    const streams = parts.map(({ stream }) => stream);
    // From the fold to the views: what was loaded from views that are replaced must not reach those that replace them.
    return this.#mutex.run(streams, (waited) =>
      this.ports.gate.shared(async () => {
        const pieces = await this.#open(writing, parts, context, waited ? undefined : loaded);
        const outcomes = await this.#complete(writing, pieces, context);
        context.reservation?.wrote(outcomes.every((outcome) => outcome.kind === 'done' && outcome.changed));
        return outcomes;
      }),
    );
  }

  /** Decides as `write` would and stores nothing. */
  async preview<State, Event extends DomainEvent, Command, Result, Refusal>(
    writing: Writing<State, Event, Command, Result, Refusal>,
    parts: readonly WritePart<Command>[],
    context: WriteContext,
    loaded?: Loaded<State>,
  ): Promise<WriteOutcome<State, Result, Refusal>[]> {
    // Loading may show in the views what they lack.
    return this.ports.gate.shared(async () => {
      const pieces = await this.#open(writing, parts, { ...context, recovering: false }, loaded);
      return pieces.map((piece) => this.#decide(writing, piece, context).outcome);
    });
  }

  async #open<State, Event extends DomainEvent, Command>(
    { projection }: Writing<State, Event, Command, unknown, unknown>,
    parts: readonly WritePart<Command>[],
    { recovering, command_id }: WriteContext,
    loaded: Loaded<State> | undefined,
  ): Promise<Piece<State, Event, Command>[]> {
    const isCurrent = loaded?.turn === this.ports.gate.turn;
    const streams = parts.map(({ stream }) => stream);
    const known = recovering ? undefined : isCurrent ? loaded : await this.load(projection, streams);
    const shownUpTo = known?.shownUpTo;
    // Field by field: adding fields to a spread object costs microseconds.
    const pieces = parts.map(({ stream, command, names }, index): Piece<State, Event, Command> => {
      const snapshot = known?.snapshots[index];
      return {
        stream,
        command,
        names,
        index,
        snapshot,
        shownUpTo,
        news: [],
        recovered: undefined,
        isRead: false,
      };
    });
    return recovering ? this.#readOn(projection, pieces, command_id) : pieces;
  }

  async #complete<State, Event extends DomainEvent, Command, Result, Refusal>(
    writing: Writing<State, Event, Command, Result, Refusal>,
    pieces: readonly Piece<State, Event, Command>[],
    context: WriteContext,
  ): Promise<WriteOutcome<State, Result, Refusal>[]> {
    const { projection } = writing;
    const outcomes = new Array<WriteOutcome<State, Result, Refusal>>(pieces.length);
    let open = pieces;
    for (let attempt = 1; open.length > 0; attempt += 1) {
      if (attempt > ATTEMPTS) throw new WriteContendedError(open[0]!.stream);
      if (attempt > 2) await pause(this.ports.clock, FIRST_PAUSE_MILLISECONDS * 2 ** (attempt - 3));
      const decisions = open.map((piece) => this.#decide(writing, piece, context));
      const late = await this.#late(projection, decisions, context);
      const stands = ({ piece }: { readonly piece: { readonly stream: string } }) =>
        !late.some(({ stream }) => stream === piece.stream);
      const standing = late.length === 0 ? decisions : decisions.filter(stands);
      const conflicted = await this.#store(projection, standing, context);
      for (const { piece, outcome } of standing) outcomes[piece.index] = outcome;
      open = [...late, ...(await this.#readOn(projection, conflicted, context.command_id))];
    }
    return outcomes;
  }

  #decide<State, Event extends DomainEvent, Command, Result, Refusal>(
    { aggregate, clock }: Writing<State, Event, Command, Result, Refusal>,
    piece: Piece<State, Event, Command>,
    context: WriteContext,
  ): Decision<State, Event, Command, Result, Refusal> {
    const { stream, snapshot, recovered } = piece;
    if (recovered !== undefined) return decideAgain(aggregate, piece, recovered);
    const now = Math.max((clock === 'world' ? this.ports.clock : clock).now(), headOf(snapshot).last_at);
    const real_time = clock !== 'world' && clock.ahead > 0 ? this.ports.clock.now() : undefined;
    const decided = aggregate.decide(snapshot?.state, piece.command, now);
    if ('rejected' in decided) {
      return { piece, events: [], after: snapshot, outcome: { kind: 'rejected', refusal: decided.rejected } };
    }
    const { result, state } = decided;
    const draft = { stream, snapshot, events: decided.events, types: aggregate.types, now, real_time };
    const events = chain(draft, context, this.ports.ids);
    const last = events.at(-1);
    const after =
      last === undefined || state === undefined
        ? foldOnto(aggregate, snapshot, events)
        : snapshotAt(state, last);
    const changed = last !== undefined;
    const outcome = { kind: 'done', result, before: snapshot, after, applied_at: now, changed } as const;
    return { piece, events, after, outcome };
  }

  /**
   * What appends nothing is an answer about the log. Where the fold at hand may be behind it, the log is asked: answers the
   * pieces that were, to be decided again.
   */
  async #late<State, Event extends DomainEvent, Command>(
    projection: Projection<State, Event>,
    decisions: readonly Decision<State, Event, Command, unknown, unknown>[],
    { command_id }: WriteContext,
  ): Promise<Piece<State, Event, Command>[]> {
    const doubtful = decisions
      .filter(({ events, piece }) => events.length === 0 && !piece.isRead && this.#isDoubtful(piece.stream))
      .map(({ piece }) => piece);
    if (doubtful.length === 0) return [];
    const movedOn = (await this.ports.tail?.movedOn(doubtful)) ?? doubtful;
    const read = await this.#readOn(projection, movedOn, command_id);
    const late = read.filter(({ news, recovered }) => news.length > 0 || recovered !== undefined);
    const lateOnes = new Set(late.map(({ stream }) => stream));
    this.#unsettled.settle(doubtful.flatMap(({ stream }) => (lateOnes.has(stream) ? [] : [stream])));
    return late;
  }

  #isDoubtful(stream: string): boolean {
    return !this.ports.singleProcess || this.#unsettled.has(stream);
  }

  /** Appends and projects; answers the pieces whose stream had moved on. */
  async #store<State, Event extends DomainEvent, Command>(
    projection: Projection<State, Event>,
    decisions: readonly Decision<State, Event, Command, unknown, unknown>[],
    context: WriteContext,
  ): Promise<Piece<State, Event, Command>[]> {
    const fresh = decisions.filter(({ events, piece }) => events.length > 0 && piece.recovered === undefined);
    const flights = fresh.map(({ piece, events }) =>
      this.ports.inFlight.announce(piece.stream, events[0]!.revision),
    );
    const touched = decisions.filter(({ events, piece }) => events.length > 0 || piece.isRead);
    const streams = touched.map(({ piece }) => piece.stream);
    const changes = changesIn(touched);
    let applied = false;
    try {
      const prepared = changes.length === 0 ? undefined : projection.prepare?.(changes);
      const conflicts = await this.#append(fresh, context);
      flights.forEach((flight, place) => conflicts[place] && flight.settle(false));
      const conflicted = fresh.filter((_, place) => conflicts[place]);
      if (conflicted.length === 0) await project(projection, changes, prepared);
      else await project(projection, changesIn(touched.filter((one) => !conflicted.includes(one))));
      applied = true;
      this.#unsettled.settle(streams);
      return conflicted.map(({ piece }) => piece);
    } catch (error) {
      this.#unsettled.add(streams);
      throw error;
    } finally {
      for (const flight of flights) flight.settle(applied);
    }
  }

  /** @returns for each, whether it met a conflict. */
  async #append(
    fresh: readonly Decision<unknown, DomainEvent, unknown, unknown, unknown>[],
    context: WriteContext,
  ): Promise<boolean[]> {
    if (fresh.length === 0) return [];
    demandTime(context);
    const appends = fresh.map(({ piece: { stream, snapshot }, events }) => {
      return { stream, expected: snapshot?.revision ?? 'no_stream', events } as unknown as StreamAppend;
    });
    const named = new Set(fresh.flatMap(({ piece }) => piece.names ?? []));
    // Asked for in one turn, in this order: none is durable without those before it.
    const joined = Promise.all([
      context.reservation?.reserve(),
      named.size === 0 ? undefined : this.ports.records.write([...named]),
    ]);
    if (!this.ports.commitsTogether) {
      // No event may stand in the log that names what is not stored.
      await joined;
      demandTime(context);
    }
    const [outcomes] = await Promise.all([this.ports.store.append(appends), joined]);
    return outcomes.map(({ kind }) => kind === 'conflict');
  }

  /** Reads what the log holds beyond the folds at hand, up to where this very command began if it was done before. */
  async #readOn<State, Event extends DomainEvent, Command>(
    { fold }: Projection<State, Event>,
    pieces: readonly Piece<State, Event, Command>[],
    command_id: string,
  ): Promise<Piece<State, Event, Command>[]> {
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

function demandTime({ deadline }: WriteContext): void {
  if (deadline?.isOver !== true) return;
  throw new StoreUnavailableError('Who asked has been told to come back; nothing was appended.', false);
}

function changesIn<State, Event extends DomainEvent>(
  decisions: readonly Decision<State, Event, unknown, unknown, unknown>[],
): StreamChange<State, Event>[] {
  return decisions.flatMap(({ piece: { stream, news }, events, after }) => {
    const all = news.length === 0 ? events : [...news, ...events];
    return all.length === 0 ? [] : [{ stream, events: all, after: after! }];
  });
}

async function project<State, Event extends DomainEvent>(
  projection: Projection<State, Event>,
  changes: readonly StreamChange<State, Event>[],
  prepared?: unknown,
): Promise<void> {
  if (changes.length > 0) await projection.project(changes, prepared);
}

/** The answer that the attempt which has stored these events would have given: decided as and when it was then. */
function decideAgain<State, Event extends DomainEvent, Command, Result, Refusal>(
  aggregate: Aggregate<State, Event, Command, Result, Refusal>,
  piece: Piece<State, Event, Command>,
  stored: readonly StoredDomainEvent<Event>[],
): Decision<State, Event, Command, Result, Refusal> {
  const { stream, snapshot } = piece;
  const command = aggregate.asStored?.(piece.command, stored) ?? piece.command;
  const applied_at = Date.parse(stored[0]!.metadata.occurred_at);
  const decided = aggregate.decide(snapshot?.state, command, applied_at);
  if ('rejected' in decided) throw new Error(`What was stored in ${stream} is refused on recovery.`);
  const after = foldOnto(aggregate, snapshot, stored);
  const { result } = decided;
  const outcome = { kind: 'done', result, before: snapshot, after, applied_at, changed: true } as const;
  return { piece, events: stored, after, outcome };
}
