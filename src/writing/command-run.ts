import type { Clock } from '../config/clock.js';
import type { DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent } from '../log/domain-event.js';
import type { Aggregate, Projector, Snapshot, StateLoader } from './aggregate.js';

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
