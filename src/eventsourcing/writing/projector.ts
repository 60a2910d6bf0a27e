import type { DomainEvent, StoredDomainEvent } from '#eventsourcing/log/domain-event.js';
import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';
import type { Fold, Snapshot } from './aggregate.js';

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
  /**
   * Applies changes to the views. Called before a write is answered, and again by the catch-up. A change that is applied
   * twice, or after a newer one, changes nothing.
   * @throws StoreUnavailableError
   */
  project(changes: readonly StreamChange<State, Event>[]): Promise<void>;
}

/** Injection token for the list of all projectors (`Projector[]`), bound by app.module.ts. */
export const PROJECTORS = Symbol('Projectors');

export function checkedByRebuild<D extends StoredDocument>(
  collection: CollectionDeclaration<D>,
  streamOf: (document: D) => string,
  kind?: CheckedView['kind'],
): CheckedView {
  return { collection, streamOf, ...(kind && { kind }) };
}
