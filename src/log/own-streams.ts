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

/** Events that are asked for at once where others' stood in place of the own ones, however few are still wanted. */
const LEAST_PAGE = 500;

/**
 * The service's own streams of a log that others may use as well: a prefix stands before every name in the store, and
 * whoever calls knows neither the prefix nor what does not begin with it. The only place that composes or takes apart
 * such a name; the hash chain is over the name behind the prefix.
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
    return outcomes.map((outcome, place) => ({ ...outcome, stream: appends[place]!.stream }));
  }

  async readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    const events = await this.store.readStream(this.prefix + stream, options);
    // The name is the one that the store gives: a damaged store may give another stream's events.
    return this.#ownOf(events);
  }

  /**
   * Reads on where others' events left room, so that a page that is not full is the last one here too. None is read twice,
   * and no more are held at once than are wanted and stand in a page.
   */
  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    const { limit, look } = options;
    const own: RecordedEvent[] = [];
    let place = options.backwards === true ? options.before : options.after;
    let left = look?.atMost ?? Infinity;
    for (let size = limit; own.length < limit && left > 0; size = Math.max(limit - own.length, LEAST_PAGE)) {
      const { events, end } = await this.#next(options, place, size, left);
      own.push(...this.#ownOf(events));
      left -= events.length;
      place = end;
      if (events.length < size) break;
    }
    if (own.length > limit) place = own[limit - 1]!.position;
    if (place !== undefined) look?.upTo(place);
    return own.slice(0, limit);
  }

  /** The newest event of the whole store, others' events included. */
  head(): Promise<bigint | undefined> {
    return this.store.head();
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    return this.store.subscribe(after, {
      handle: async (events) => {
        const own = this.#ownOf(events);
        if (own.length > 0) await handler.handle(own);
        const { position } = events.at(-1)!;
        if (own.at(-1)?.position !== position) await handler.passed?.(position);
      },
      passed: async (position) => handler.passed?.(position),
      caughtUp: () => handler.caughtUp?.(),
      failed: (error) => handler.failed?.(error),
    });
  }

  ping(): Promise<void> {
    return this.store.ping();
  }

  close(): Promise<void> {
    return this.store.close();
  }

  /** Events of whatever stream, and how far the store looked for them. */
  async #next(options: ReadAllOptions, place: bigint | undefined, limit: number, atMost: number) {
    let end = place;
    const look = { atMost, upTo: (position: bigint) => void (end = position) };
    const from = options.backwards === true ? 'before' : 'after';
    const events = await this.store.readAll({
      ...options,
      limit,
      look,
      ...(place === undefined ? {} : { [from]: place }),
    });
    return { events, end };
  }

  /** Field by field and without a list for each: every pass over the log comes by here. */
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
