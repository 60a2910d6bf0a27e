import type { DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { CollectionDeclaration, StoredDocument } from '../documents/document-store.js';
import type { EventTypes } from '../log/codec.js';

/** The state of a stream at `revision`, with the fields that the next event needs. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

/** The result of `decide`: events and a result, or a refusal. Refusals are never thrown. */
export type Decided<Event extends DomainEvent, Result, Refusal, State = never> =
  | {
      readonly events: readonly Event[];
      readonly result: Result;
      /** The state after the events, if `decide` has computed it. */
      readonly state?: State | undefined;
    }
  | { readonly rejected: Refusal };

/** A union of commands, made from `Fields`, which gives the fields of each type. */
export type CommandOf<Fields, Types extends keyof Fields = keyof Fields> = {
  readonly [Type in Types & string]: { readonly type: Type } & Fields[Type];
}[Types & string];

/** Computes the state of the streams of a category. */
export interface Fold<State, Event extends DomainEvent = DomainEvent> {
  /** Streams are named `{category}-…`. */
  readonly category: string;
  /** All event types of such a stream. */
  readonly types: EventTypes;
  evolve(state: State | undefined, event: Event, revision: number): State;
}

/** Decides the commands of one stream. Pure. */
export interface Aggregate<State, Event extends DomainEvent, Command, Result, Refusal> extends Fold<
  State,
  Event
> {
  /** A command that changes nothing is accepted without events. @param now milliseconds */
  decide(state: State | undefined, command: Command, now: number): Decided<Event, Result, Refusal, State>;
  /**
   * The command as it was first executed, restored from its stored events: a name in it may mean something else by now.
   * Absent if commands contain no names.
   */
  asStored?(command: Command, stored: readonly Event[]): Command;
}

/** New events of one stream and the state after them. */
export interface StreamChange<State, Event extends DomainEvent = DomainEvent> {
  readonly stream: string;
  /** In revision order, without gaps; `after` may be newer than the last of them. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State>;
}

/** A collection whose documents a rebuild checks one by one, by their `revision`. */
export interface CheckedView<D extends StoredDocument = StoredDocument> {
  readonly collection: CollectionDeclaration<D>;
  /** The stream of a document. If it has several: the one whose event wrote it last. */
  streamOf(document: D): string;
  /**
   * `progress`: the document contains only the revision up to which other documents show its stream. `latest`: several
   * streams write the document, and it keeps the highest revision. Absent: one stream writes it.
   */
  readonly kind?: 'progress' | 'latest';
}

/** Loads the states of one category's streams. */
export interface StateLoader<State> {
  /**
   * States in the order of `streams`; undefined for a stream without events. A state contains all acknowledged writes of
   * this process, but not always those of others. @throws StoreUnavailableError
   */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]>;
}

/** Applies the events of one category of streams to its views. */
export interface Projector<State, Event extends DomainEvent = DomainEvent> {
  readonly fold: Fold<State, Event>;
  readonly states: StateLoader<State>;
  /** The documents that a rebuild checks one by one. */
  readonly documents?: readonly CheckedView[];
  /**
   * The revision up to which all views show each stream, in the order of `streams`; -1 if they do not show it.
   * @throws StoreUnavailableError
   */
  shown(streams: readonly string[]): Promise<number[]>;
  /** Starts reads that `project` needs, while the append of the same changes runs. Never rejects. */
  prepare?(changes: readonly StreamChange<State, Event>[]): unknown;
  /**
   * Applies changes to the views. Called before a write is answered, and again by the catch-up. A change that is applied
   * twice, or after a newer one, changes nothing.
   * @param prepared the result of `prepare` for the same changes
   * @throws StoreUnavailableError
   */
  project(changes: readonly StreamChange<State, Event>[], prepared?: unknown): Promise<void>;
}

/** Injection token for the list of all projectors (`Projector[]`), bound by app.module.ts. */
export const PROJECTORS = Symbol('Projectors');

export function checkedView<D extends StoredDocument>(
  collection: CollectionDeclaration<D>,
  streamOf: (document: D) => string,
  kind?: CheckedView['kind'],
): CheckedView {
  return { collection, streamOf, ...(kind && { kind }) };
}
