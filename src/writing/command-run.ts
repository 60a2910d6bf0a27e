import type { Clock } from '../config/clock.js';
import type { DocumentWrite } from '../documents/document-store.js';
import type { DomainEvent } from '../log/domain-event.js';
import type { Aggregate, Projector, Snapshot, StateLoader } from './aggregate.js';

/** A clock that may be ahead of the world's. */
export interface WriteClock extends Pick<Clock, 'now'> {
  /** In milliseconds. */
  readonly ahead: number;
}

/** Which aggregate decides, and where its states and read models are. */
export interface StreamKind<State, Event extends DomainEvent, Command, Result, Refusal> {
  readonly aggregate: Aggregate<State, Event, Command, Result, Refusal>;
  readonly states: StateLoader<State>;
  /** Absent where no read model shows the streams. */
  readonly projector?: Projector<State, Event> | undefined;
}

/** A stream with the state that the next attempt decides on. */
export interface OpenStream<State> {
  /** Its place in {@link CommandRun.streams}. */
  readonly index: number;
  readonly state: State | undefined;
}

/** The commands of one stream. */
export interface PreparedCommand<Command> {
  readonly command: Command;
  /** The insert of a new tenant account that the events name; stored only where there are events. */
  readonly account?: DocumentWrite | undefined;
}

export interface Prepared<Command> {
  /** The clock to decide by: a company's, or the world's (docs/adr/0010). */
  readonly clock: WriteClock | 'world';
  /** In the order of the streams given. */
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
  /** Other names that no other run may use until this one has ended: the tenants that the command names. */
  readonly names?: readonly string[] | undefined;
  /** Its events are marked as those of a bulk. */
  readonly bulk?: boolean | undefined;
  /** Makes the commands for these states. Called again, for some of the streams, after a conflict or a taken account. */
  prepare(open: readonly OpenStream<State>[]): Prepared<Command> | Promise<Prepared<Command>>;
  /** Completes the outcomes while the names are still held, after the last append and beside its projection. */
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
      /** The state that was decided on; undefined: there was no stream. */
      readonly before: Snapshot<State> | undefined;
      /** The state after the command; undefined: nothing changed and there was no stream. */
      readonly after: Snapshot<State> | undefined;
      /** In milliseconds: when the events occurred, or now where nothing changed. */
      readonly applied_at: number;
      /** False where the command had nothing to change. */
      readonly changed: boolean;
    }
  | { readonly kind: 'rejected'; readonly refusal: Refusal };
