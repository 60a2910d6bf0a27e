import type {
  AppendOutcome,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
  Subscription,
  SubscriptionHandler,
} from '#eventsourcing/log/event-store.js';
import { EventTooLargeError } from '#eventsourcing/log/event-store.errors.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { frozenCopy } from './frozen.js';

const LARGEST_APPEND = 1_048_576;
const BATCH = 500;

/** Events in the order of the log. They outlive every process. */
class EventLogData {
  readonly events: RecordedEvent[] = [];
  /** Places in `events` by stream. */
  readonly streams = new Map<string, number[]>();
  readonly listeners = new Set<() => void>();
}

/** The event store port in memory. Everything is decided in one synchronous step, so that a caller may choose when. */
export class MemoryEventStore implements EventStore {
  private closed = false;
  private readonly subscriptions = new Set<MemorySubscription>();

  constructor(readonly data = new EventLogData()) {}

  append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    return this.answer(() => this.appendNow(appends));
  }

  readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    return this.answer(() => structuredClone(this.readStreamNow(stream, options)));
  }

  readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.answer(() => structuredClone(this.readAllNow(options)));
  }

  head(): Promise<bigint | undefined> {
    return this.answer(() => this.headNow());
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    const subscription = new MemorySubscription(this, after ?? 0n, handler);
    this.subscriptions.add(subscription);
    return subscription;
  }

  ping(): Promise<void> {
    return this.answer(() => undefined);
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const subscription of this.subscriptions) await subscription.stop();
  }

  appendNow(appends: readonly StreamAppend[]): AppendOutcome[] {
    demandSound(appends);
    const outcomes = appends.map((append) => this.appendOne(append));
    for (const listener of this.data.listeners) listener();
    return outcomes;
  }

  readStreamNow(stream: string, { from, backwards, limit }: ReadStreamOptions = {}): RecordedEvent[] {
    const places = this.data.streams.get(stream) ?? [];
    const chosen = backwards
      ? places.slice(0, (from ?? places.length - 1) + 1).reverse()
      : places.slice(from ?? 0);
    return chosen.slice(0, limit ?? chosen.length).map((place) => this.data.events[place]!);
  }

  readAllNow({ after, before, limit, backwards, scan }: ReadAllOptions): RecordedEvent[] {
    const first = Number((after ?? 0n) / STRIDE);
    const most = Math.min(limit, scan?.atMost ?? limit);
    if (backwards) {
      const events = this.data.events
        .slice(first)
        .filter(({ position }) => position < (before ?? position + 1n));
      const newest = events.slice(-most).reverse();
      scan?.upTo(newest.length < most ? (after ?? 0n) : newest.at(-1)!.position);
      return newest;
    }
    const found = this.data.events.slice(first, first + most);
    const last = found.at(-1);
    if (last !== undefined) scan?.upTo(last.position);
    return found;
  }

  headNow(): bigint | undefined {
    return this.data.events.at(-1)?.position;
  }

  get headPosition(): bigint {
    return positionOf(this.data.events.length - 1);
  }

  private appendOne({ stream, expected, events }: StreamAppend): AppendOutcome {
    const places = this.data.streams.get(stream) ?? [];
    const head = places.length - 1;
    if (head !== (expected === 'no_stream' ? -1 : expected)) {
      return { kind: 'conflict', stream, actual: head === -1 ? 'no_stream' : head };
    }
    this.data.streams.set(stream, places);
    for (const { id, type, data, metadata } of events) {
      const place = this.data.events.length;
      const kept = { id, type, data: frozenCopy(data), metadata: frozenCopy(metadata) };
      const where = { stream, revision: places.length, position: positionOf(place) };
      this.data.events.push(Object.freeze({ ...kept, ...where }));
      places.push(place);
    }
    return { kind: 'appended', stream, revision: places.length - 1, position: positionOf(places.at(-1)!) };
  }

  private answer<T>(decide: () => T): Promise<T> {
    if (this.closed)
      return Promise.reject(new StoreUnavailableError('The event store in memory is closed.', false));
    return new Promise((resolve) => resolve(decide()));
  }
}

/** Positions have gaps, as the port allows. */
const STRIDE = 3n;

function positionOf(place: number): bigint {
  return (BigInt(place) + 1n) * STRIDE;
}

function demandSound(appends: readonly StreamAppend[]): void {
  const streams = new Set<string>();
  for (const { stream, events } of appends) {
    if (events.length === 0) throw new TypeError(`The append to ${stream} has no events.`);
    if (streams.has(stream)) throw new TypeError(`${stream} is named twice in one call.`);
    streams.add(stream);
    const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0);
    if (bytes > LARGEST_APPEND) throw new EventTooLargeError(stream);
  }
}

class MemorySubscription implements Subscription {
  private stopped = false;
  private wake: () => void = () => undefined;
  private readonly storedAtStart: bigint;
  private readonly ended: Promise<void>;

  constructor(
    private readonly store: MemoryEventStore,
    private position: bigint,
    private readonly handler: SubscriptionHandler,
  ) {
    this.storedAtStart = store.headPosition;
    this.ended = this.run();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.wake();
    await this.ended;
  }

  private async run(): Promise<void> {
    const listener = () => this.wake();
    this.store.data.listeners.add(listener);
    try {
      await this.follow();
    } catch (error) {
      if (!this.stopped) this.handler.failed?.(error);
    } finally {
      this.store.data.listeners.delete(listener);
    }
  }

  private async follow(): Promise<void> {
    let caughtUp = false;
    // The caller has its subscription in hand before the first event comes.
    await Promise.resolve();
    while (!this.stopped) {
      const events = this.store.readAllNow({ after: this.position, limit: BATCH });
      if (events.length > 0) {
        await this.handler.handle(events);
        this.position = events.at(-1)!.position;
      }
      if (!caughtUp && !this.stopped && this.position >= this.storedAtStart) {
        caughtUp = true;
        this.handler.caughtUp?.();
      }
      if (events.length === 0 && !this.stopped) await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
