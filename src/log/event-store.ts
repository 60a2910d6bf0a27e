/**
 * The event store port. An append to a stream is all or nothing, but no reader is promised to see it at once: its events may
 * come one by one, with others between, in reads and in subscriptions alike. So the service writes into each which part of
 * its append it is, and all who read take appends whole (`whole-appends.ts`). Revisions count from 0 within a stream; positions order all events of the store and are
 * unique and increasing, never dense. Every adapter passes `test/contract/event-store.contract.ts`.
 */

/** A JSON value: what event data, metadata and documents consist of. `undefined` never appears in one. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** An event to append. `id` is a UUID, unique for ever, whatever stream it goes to. */
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
  /** Orders all events of the store; not dense. */
  readonly position: bigint;
}

/** The head revision that an append expects: a revision, or that the stream has no event yet. */
export type ExpectedRevision = number | 'no_stream';

export interface StreamAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  /** At least one event: an append of nothing is a bug of the caller and throws a `TypeError`. */
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      readonly stream: string;
      readonly revision: number;
      readonly position: bigint;
    }
  /** Nothing of this stream was stored: its head is not where the append expected it. */
  | { readonly kind: 'conflict'; readonly stream: string; readonly actual: ExpectedRevision };

export interface ReadStreamOptions {
  /** First revision to return; 0 when absent (the head when reading backwards). */
  readonly from?: number;
  readonly backwards?: boolean;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Events after this position (exclusive); from the first when absent. */
  readonly after?: bigint;
  /** At most this many events. */
  readonly limit: number;
  /** From the newest event on, back to the first after `after`. */
  readonly backwards?: boolean;
  /** For a backward read: it begins before this position. Absent: at the newest event. */
  readonly before?: bigint;
  /** For a read that can go on later, however many events of others are between. */
  readonly look?: BoundedLook;
}

/** The read ends once it has looked at about so many of the store's events, whosoever they are: a short page is not the last one then. */
export interface BoundedLook {
  /** At least 1. */
  readonly atMost: number;
  /**
   * Called before the read resolves, where it has looked at anything: nothing is missing up to this position, after which a read may begin.
   * Backwards nothing is missing down to it, before which a read may begin; it is `after`, or 0, where nothing is left.
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
   * Told now and then where others' events stand behind what was handled: up to this position, after which a subscription
   * may begin, nothing else does. Awaited, and its rejection taken, as those of `handle`.
   */
  passed?(position: bigint): Promise<void>;
  /** Called once, when every event that was stored when the subscription began has been handled. */
  caughtUp?(): void;
  /** The subscription has ended by itself: the handler rejected, or the store cannot go on. */
  failed?(error: unknown): void;
}

export interface Subscription {
  /** Resolves once no further call of the handler will come, the running one included. Idempotent. */
  stop(): Promise<void>;
}

export interface EventStore {
  /**
   * Appends to many streams in one call. Each stream is all or nothing on its own; outcomes stand in the order of
   * `appends`. An appended event is durable before the promise resolves.
   * Naming a stream twice in one call is a bug and throws a `TypeError`; so is an append of no events.
   * @throws StoreUnavailableError when the store cannot be reached or refuses: nothing is promised about what was
   *   stored, unless `outcomeUnknown` is false, which promises that nothing was.
   * @throws EventTooLargeError when one append exceeds what the store takes (1 MiB of data for a stream's append).
   */
  append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]>;

  /**
   * A stream's events in order; empty where there is no such stream. Linearizable with acknowledged appends.
   * @throws StoreUnavailableError
   */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Events of all streams in position order, or against it. Linearizable with acknowledged appends.
   * @throws StoreUnavailableError @throws PositionLostError where the log is another one than `after` was read from
   */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * How far the store reaches: nothing in it, whosoever it is, stands behind this position; undefined where it holds nothing.
   * At least as far as any read has looked that was answered before. Linearizable with acknowledged appends.
   * @throws StoreUnavailableError
   */
  head(): Promise<bigint | undefined>;

  /**
   * Delivers all events after a position, the stored ones first, then those to come, each exactly once and in order,
   * for as long as the subscription lives. Interruptions of the connection are the adapter's to heal. Where the log turns
   * out to be another one, the subscription ends with a `PositionLostError`.
   */
  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription;

  /** Cheap check that the store answers. @throws StoreUnavailableError */
  ping(): Promise<void>;

  /** Finishes what was accepted and releases everything. Later calls throw StoreUnavailableError. Idempotent. */
  close(): Promise<void>;
}
