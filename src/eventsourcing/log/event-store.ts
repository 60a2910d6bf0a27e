/**
 * The event store port. An append to a stream stores all its events or none. But readers and subscriptions may see its
 * events one by one, with others between. So each event says which part of its append it is, and readers ignore an
 * incomplete append (`whole-appends.ts`). Positions increase over all events of the store, with gaps. Every adapter
 * passes `test/eventsourcing/contract/event-store.contract.ts`.
 */

/** Event data, metadata and documents consist of JSON values. None of them is `undefined`. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** An event to append. `id` is a UUID, unique in the whole store. */
export interface NewEvent {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** An event as the store returns it. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Counts from 0 within the stream. */
  readonly revision: number;
  /** Increases over all events of the store, with gaps. */
  readonly position: bigint;
}

/**
 * The type of a record, not an event, that a shared store gives where somebody deleted, shortened or restored a stream.
 * `data` is the stream's new metadata; it is empty for a tombstone. `SoundStreams` takes these records out.
 */
export const STREAM_CHANGED = '$changed';

/** The last revision of the stream that an append expects. */
export type ExpectedRevision = number | 'no_stream';

export interface StreamAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** At least one event. */
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      readonly stream: string;
      readonly revision: number;
      readonly position: bigint;
    }
  /**
   * Nothing was stored in this stream, because its last revision is not the expected one. `damaged`: it was deleted for
   * ever, or holds what the service did not write.
   */
  | { readonly kind: 'conflict'; readonly stream: string; readonly actual: ExpectedRevision | 'damaged' };

export interface ReadStreamOptions {
  /** The first revision to return. If absent: 0, or the last one of the stream for a backward read. */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Only events after this position (exclusive). */
  readonly after?: bigint;
  readonly limit: number;
  /** The newest events first. */
  readonly backwards?: boolean;
  /** Only for a backward read: events before this position (exclusive). */
  readonly before?: bigint;
  /** Bounds the cost of a read in a store with many events of other applications. */
  readonly scan?: BoundedScan;
}

/** Ends a read after a number of scanned events. A page with fewer events than `limit` then need not be the last one. */
export interface BoundedScan {
  /** About how many events of the store to scan, those of other applications included. At least 1. */
  readonly atMost: number;
  /**
   * Called before the read resolves, unless nothing was scanned. All events up to this position are in the result, so the
   * next read may begin `after` it. For a backward read: all events from this position on are in the result, and the next
   * read may use it as `before`; it is `after`, or 0, if no older events are left.
   */
  upTo(position: bigint): void;
}

export interface SubscriptionHandler {
  /**
   * Events in position order, in batches of at least one, the next only after this promise settles.
   * A rejection ends the subscription and reaches `failed`.
   */
  handle(events: readonly RecordedEvent[]): Promise<void>;
  /**
   * Called now and then after events of other applications: a new subscription may begin after this position. Its promise
   * is treated like that of `handle`.
   */
  passed?(position: bigint): Promise<void>;
  /** Called once, when all events are handled that were stored before the subscription began. */
  caughtUp?(): void;
  /** Called if the subscription ends by itself: the handler rejected, or the store cannot continue. */
  failed?(error: unknown): void;
}

export interface Subscription {
  /** Resolves after the last call of the handler has ended. Idempotent. */
  stop(): Promise<void>;
}

export interface EventStore {
  /**
   * Appends to several streams. Each append stores all its events or none. Outcomes are in the order of `appends`.
   * Events are durable before the promise resolves.
   * @throws TypeError for a stream named twice in one call, or an append without events
   * @throws StoreUnavailableError if the store cannot be reached or refuses. If `outcomeUnknown` is false, nothing was
   *   stored.
   * @throws EventTooLargeError if one append has more than 1 MiB of data
   */
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]>;

  /**
   * A stream's events in order; empty for an unknown stream. It returns all acknowledged appends (linearizable).
   * @throws StoreUnavailableError @throws StreamDeletedError
   */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Events of all streams in position order, or reversed. It returns all acknowledged appends (linearizable).
   * @throws StoreUnavailableError @throws PositionLostError if `after` is beyond the end of the log
   */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * The position of the newest event of the store, those of other applications included; undefined if it is empty. It is
   * not before the scanned position of any earlier read.
   * @throws StoreUnavailableError
   */
  head(): Promise<bigint | undefined>;

  /**
   * Delivers all stored and future events after a position, in order and exactly once. The adapter connects again after
   * an interruption. If another log replaced this one, it ends with a `PositionLostError`.
   */
  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription;

  /** Cheap check that the store answers. @throws StoreUnavailableError */
  ping(): Promise<void>;

  /** Finishes accepted calls and closes the store. Later calls throw StoreUnavailableError. Idempotent. */
  close(): Promise<void>;
}
