import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { EventTypes } from '../log/codec.js';

/** A stream folded up to `revision`, with what the next event must link to. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

/** What a decision answers: events to store and what to tell the caller, or a refusal. Never thrown. */
export type Decided<Event extends DomainEvent, Result, Refusal, State = never> =
  | {
      readonly events: readonly Event[];
      readonly result: Result;
      /** The fold that holds the events, where deciding has made it already. */
      readonly state?: State | undefined;
    }
  | { readonly rejected: Refusal };

/** How the streams of a category fold. */
export interface Fold<State, Event extends DomainEvent = DomainEvent> {
  /** Streams are named `{category}-…`. */
  readonly category: string;
  /** Every type that may stand in such a stream. */
  readonly types: EventTypes;
  evolve(state: State | undefined, event: Event, revision: number): State;
}

/** What commands decide on: a consistency boundary of one stream. Pure. */
export interface Aggregate<State, Event extends DomainEvent, Command, Result, Refusal> extends Fold<
  State,
  Event
> {
  /** A command that changes nothing is accepted without events. @param now milliseconds */
  decide(state: State | undefined, command: Command, now: number): Decided<Event, Result, Refusal, State>;
  /**
   * The command as it was first executed, by what it has stored: names that it was made with may stand for something else
   * by now. Absent where a command names nothing.
   */
  asStored?(command: Command, stored: readonly Event[]): Command;
}

/** New events of one stream and the fold that holds them. */
export interface StreamChange<State, Event extends DomainEvent = DomainEvent> {
  readonly stream: string;
  /** In revision order, without gaps (but see {@link Projection.showsEvent}); `after` may be newer than the last of them. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State>;
}

/** Where the newest known folds of a category are kept, and which views its events feed. Knows no command. */
export interface Projection<State, Event extends DomainEvent = DomainEvent> {
  readonly fold: Fold<State, Event>;
  /**
   * The newest folds that are at hand, in the order of `streams`; undefined where there is none. May lag behind the
   * stream, but never behind an acknowledged write.
   */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]>;
  /** Begins to read what `project` will look at, beside the append of these very changes. Never rejects. */
  prepare?(changes: readonly StreamChange<State, Event>[]): unknown;
  /**
   * Applies changes to the views. Called inline before a write is answered and again by the catch-up subscription:
   * applying a change twice, or after a newer one, changes nothing.
   * @param prepared what `prepare` has answered for the same changes
   * @throws StoreUnavailableError
   */
  project(changes: readonly StreamChange<State, Event>[], prepared?: unknown): Promise<void>;
  /**
   * Whether the views show something of an event besides a fold that holds it, and besides what events after that fold show.
   * Where this is said, a change may come without the events of which nothing is shown. Absent: each event counts.
   */
  showsEvent?(event: StoredDomainEvent<Event>, after: Snapshot<State>): boolean;
}

/** Injection token for the list of all projections (`Projection[]`), bound by app.module.ts. */
export const PROJECTIONS = Symbol('Projections');
