import type { Actor, DomainEvent, StoredDomainEvent } from '../log/domain-event.js';
import type { JsonObject } from '../log/event-store.js';

/** What a write knows of the request that asked for it. */
export interface WriteContext {
  readonly command_id: string;
  readonly request_id: string;
  readonly actor: Actor;
  /** The command may have been done by an attempt that was cut off: the log is asked before deciding. */
  readonly recovering: boolean;
  /**
   * Asked right before anything is appended, in the same turn: throws where what makes the command known to a retry was
   * asked of the store and refused meanwhile. @throws StoreUnavailableError
   */
  readonly demandReserved?: (() => void) | undefined;
}

/** A stream folded up to `revision`, with what the next event must link to. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: number;
  readonly last_hash: string;
  /** `occurred_at` of the last event, in milliseconds. */
  readonly last_at: number;
}

/** New events of one stream and the fold that holds them. */
export interface StreamChange<State, Event extends DomainEvent = DomainEvent> {
  readonly stream: string;
  /** In revision order, without gaps; `after` may be newer than the last of them. */
  readonly events: readonly StoredDomainEvent<Event>[];
  readonly after: Snapshot<State>;
}

/** What a decision function answers: events to store and what to tell the caller, or a refusal. Never thrown. */
export type Decided<Event extends DomainEvent, Result, Refusal> =
  { readonly events: readonly Event[]; readonly result: Result } | { readonly rejected: Refusal };

/**
 * One kind of stream: how its events fold, where its newest known fold is kept and which views it feeds. The stream
 * writer and the projection runner work on kinds alone and know no feature.
 */
export interface StreamKind<State, Event extends DomainEvent = DomainEvent> {
  /** Streams of this kind are named `{category}-…`. */
  readonly category: string;
  /** Schema number written for this kind's events. */
  readonly schema: number;
  evolve(state: State | undefined, event: Event, revision: number): State;
  /** Brings data of an older schema to the present one. Absent while there is only one. */
  upcast?(type: string, schema: number, data: JsonObject): JsonObject;
  /**
   * The newest folds that are at hand, in the order of `streams`; undefined where there is none. May lag behind the
   * stream, but never behind an acknowledged write.
   */
  load(streams: readonly string[]): Promise<(Snapshot<State> | undefined)[]>;
  /**
   * Applies changes to the views. Called inline before a write is answered and again by the catch-up subscription:
   * applying a change twice, or after a newer one, changes nothing.
   * @throws StoreUnavailableError
   */
  project(changes: readonly StreamChange<State, Event>[]): Promise<void>;
}

/** Injection token for the list of all kinds (`StreamKind[]`), bound by app.module.ts. */
export const STREAM_KINDS = Symbol('StreamKinds');
