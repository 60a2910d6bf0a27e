import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { CollectionDeclaration, StoredDocument } from '../documents/document-store.js';
import type { EventTypes } from '../log/codec.js';

/** A stream folded up to `revision`, with what the next event must link to. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

/** The answer of a decision: events to store and a result, or a refusal. It is never thrown. */
export type Decided<Event extends DomainEvent, Result, Refusal, State = never> =
  | {
      readonly events: readonly Event[];
      readonly result: Result;
      /** The fold that holds the events, where deciding has made it already. */
      readonly state?: State | undefined;
    }
  | { readonly rejected: Refusal };

/** The commands, or those of some types, whose fields `Fields` lists by their type. */
export type CommandOf<Fields, Types extends keyof Fields = keyof Fields> = {
  readonly [Type in Types & string]: { readonly type: Type } & Fields[Type];
}[Types & string];

/** How the streams of a category fold. */
export interface Fold<State, Event extends DomainEvent = DomainEvent> {
  /** Streams are named `{category}-…`. */
  readonly category: string;
  /** Every type that may stand in such a stream. */
  readonly types: EventTypes;
  evolve(state: State | undefined, event: Event, revision: number): State;
}

/** Decides commands: a consistency boundary of one stream. Pure. */
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
  /** In revision order, without gaps; `after` may be newer than the last of them. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State>;
}

/** A collection of documents guarded by `revision`, and where they come from. */
export interface Shown<D extends StoredDocument = StoredDocument> {
  readonly collection: CollectionDeclaration<D>;
  /** The stream that a document is made from; of several, the one that made it as it is. */
  streamOf(document: D): string;
  /**
   * `progress`: a document says only up to where the others show its stream. `latest`: several streams make one document,
   * which keeps the highest revision. Absent: one stream makes the document.
   */
  readonly kind?: 'progress' | 'latest';
}

/** Loads the states of one category's streams. */
export interface StateLoader<State> {
  /**
   * The newest states that are at hand, in the order of `streams`; undefined for a stream without one. A state may be behind
   * its stream, but never behind an acknowledged write. @throws StoreUnavailableError
   */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]>;
}

/** Applies the events of one category to its read models. Knows no command. */
export interface Projector<State, Event extends DomainEvent = DomainEvent> {
  readonly fold: Fold<State, Event>;
  readonly states: StateLoader<State>;
  /** The documents that a rebuild checks one by one. */
  readonly documents?: readonly Shown[];
  /**
   * The revision up to which all read models show each stream, by the document that is written last; -1 for not at all. In
   * the order of `streams`. @throws StoreUnavailableError
   */
  shown(streams: readonly string[]): Promise<number[]>;
  /** Begins to read what `project` will look at, beside the append of these very changes. Never rejects. */
  prepare?(changes: readonly StreamChange<State, Event>[]): unknown;
  /**
   * Applies changes to the read models. Called before a write is answered, and again by the catch-up: a change that is
   * applied twice, or after a newer one, changes nothing.
   * @param prepared what `prepare` has answered for the same changes
   * @throws StoreUnavailableError
   */
  project(changes: readonly StreamChange<State, Event>[], prepared?: unknown): Promise<void>;
}

/** Injection token for the list of all projectors (`Projector[]`), bound by app.module.ts. */
export const PROJECTORS = Symbol('Projectors');

/** Names the collection and how its documents come from streams. */
export function shownIn<D extends StoredDocument>(
  collection: CollectionDeclaration<D>,
  streamOf: (document: D) => string,
  kind?: Shown['kind'],
): Shown {
  return { collection, streamOf, ...(kind && { kind }) };
}
