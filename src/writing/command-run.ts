import type { Clock } from '../config/clock.js';
import type { Deadline } from '../config/yielder.js';
import type { DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { AppendOutcome, StreamAppend } from '../log/event-store.js';
import type { Aggregate, Fold, Projector, Snapshot, StateLoader } from './aggregate.js';
import type { CommandReservation } from './write-context.js';

/** A clock that may be ahead of the real time: a sandbox's. */
export interface WriteClock extends Pick<Clock, 'now'> {
  /** In milliseconds. */
  readonly ahead: number;
}

/** An aggregate with its states and its views. */
export interface StreamKind<State, Event extends DomainEvent, Command, Result, Refusal> {
  readonly aggregate: Aggregate<State, Event, Command, Result, Refusal>;
  /** Absent: the states are read from the log. For streams that no view shows, if they are short or seldom written. */
  readonly states?: StateLoader<State> | undefined;
  /** Absent if no view shows the streams. */
  readonly projector?: Projector<State, Event> | undefined;
}

/** A stream with the state for the next attempt. */
export interface OpenStream<State> {
  /** Its index in {@link CommandRun.streams}. */
  readonly index: number;
  readonly state: State | undefined;
}

/** The command for one stream. */
export interface PreparedCommand<Command> {
  readonly command: Command;
  /** The insert of a new tenant account that the events name. Without events it is not stored. */
  readonly account?: DocumentWrite | undefined;
}

export interface Prepared<Command> {
  /** A company's clock or the real time (docs/adr/0010). */
  readonly clock: WriteClock | 'world';
  /** In the order of the given streams. */
  readonly commands: readonly PreparedCommand<Command>[];
}

/** One command on several streams of one category. */
export interface CommandRun<State, Event extends DomainEvent, Command, Result, Refusal> extends StreamKind<
  State,
  Event,
  Command,
  Result,
  Refusal
> {
  /** Distinct. */
  readonly streams: readonly string[];
  /** More names to lock until the run ends: the tenants that the command names. */
  readonly names?: readonly string[] | undefined;
  /** Marks the events as those of a bulk. */
  readonly bulk?: boolean | undefined;
  /** Makes the commands for these states. Called again, for some streams, after a conflict or a taken account. */
  prepare(open: readonly OpenStream<State>[]): Prepared<Command> | Promise<Prepared<Command>>;
  /** Adds to the outcomes. Called after the last append, while its events are projected and the names are locked. */
  readonly complete?:
    | ((
        outcomes: readonly Outcome<State, Result, Refusal>[],
      ) => Promise<readonly Outcome<State, Result, Refusal>[]>)
    | undefined;
}

/** The result of a command for one stream. */
export type Outcome<State, Result, Refusal> =
  | {
      readonly kind: 'done';
      readonly result: Result;
      /** The state before the command; undefined if the stream had no events. */
      readonly before: Snapshot<State> | undefined;
      /** The state after the command; undefined if the stream still has no events. */
      readonly after: Snapshot<State> | undefined;
      /** In milliseconds: when the events occurred, or now if nothing changed. */
      readonly applied_at: number;
      /** False if the command changed nothing. */
      readonly changed: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: Refusal };

/** A run without its commands. */
export interface AnyRun<State, Event extends DomainEvent> {
  readonly aggregate: Fold<State, Event>;
  readonly states?: StateLoader<State> | undefined;
  readonly projector?: Projector<State, Event> | undefined;
  readonly streams: readonly string[];
}

/** A stream that the command writes, and its state for the next attempt. */
export interface TargetStream<State, Event extends DomainEvent> {
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
export interface StreamDecision<State, Event extends DomainEvent, Result, Refusal> {
  readonly target: TargetStream<State, Event>;
  readonly account: DocumentWrite | undefined;
  /** Events to append, or events that an earlier attempt has appended. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State> | undefined;
  readonly outcome: Outcome<State, Result, Refusal>;
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
