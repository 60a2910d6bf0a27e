import type {
  AppendOutcome,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
  Subscription,
  SubscriptionHandler,
} from './event-store.js';
import { subscribeToSome } from './filtered-subscription.js';

/** The smallest page after the first one, which had too few own events. */
const LEAST_PAGE = 500;

/**
 * The service's own streams in a store that other applications may use too. In the store each stream's name begins with a
 * prefix. Callers never see the prefix, nor events of other applications. Hashes are over the name without the prefix.
 */
export class OwnStreams implements EventStore {
  constructor(
    private readonly store: EventStore,
    private readonly prefix: string,
  ) {}

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const outcomes = await this.store.append(
      appends.map((append) => ({ ...append, stream: this.prefix + append.stream })),
    );
    return outcomes.map((outcome, index) => ({ ...outcome, stream: appends[index]!.stream }));
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    const events = await this.store.readStream(this.prefix + stream, options);
    // The stream's name comes from the store: a damaged store may return events of another stream.
    return this.#ownOf(events);
  }

  /** Reads further pages until there are `limit` own events, the scan's bound is reached, or the log ends. */
  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    const { limit, scan } = options;
    const own: RecordedEvent[] = [];
    let position = options.backwards === true ? options.before : options.after;
    let left = scan?.atMost ?? Infinity;
    for (let size = limit; own.length < limit && left > 0; size = Math.max(limit - own.length, LEAST_PAGE)) {
      const { events, end } = await this.#next(options, position, size, left);
      own.push(...this.#ownOf(events));
      left -= events.length;
      position = end;
      if (events.length < size) break;
    }
    if (own.length > limit) position = own[limit - 1]!.position;
    if (position !== undefined) scan?.upTo(position);
    return own.slice(0, limit);
  }

  /** The newest event of the whole store, others' events included. */
  head(): Promise<bigint | undefined> {
    return this.store.head();
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    return subscribeToSome(this.store, after, handler, (events) => this.#ownOf(events));
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** A page of events of all applications, and the scanned position. */
  async #next(options: ReadAllOptions, position: bigint | undefined, limit: number, atMost: number) {
    let end = position;
    const scan = { atMost, upTo: (scanned: bigint) => void (end = scanned) };
    const start =
      position === undefined ? {} : { [options.backwards === true ? 'before' : 'after']: position };
    const events = await this.store.readAll({ ...options, limit, scan, ...start });
    return { events, end };
  }

  /** Written for speed, because every pass over the log runs through it. */
  #ownOf(events: readonly RecordedEvent[]): RecordedEvent[] {
    const { prefix } = this;
    const own: RecordedEvent[] = [];
    for (const { id, type, data, metadata, stream, revision, position } of events) {
      if (!stream.startsWith(prefix)) continue;
      own.push({ id, type, data, metadata, stream: stream.slice(prefix.length), revision, position });
    }
    return own;
  }
}
