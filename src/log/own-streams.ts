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

  /** Reads on where others' events left room, so that a page that is not full is the last one here too. */
  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    if (options.backwards === true) return this.#newest(options);
    const { limit } = options;
    const own: RecordedEvent[] = [];
    let place = options.after;
    while (own.length < limit) {
      const wanted = limit - own.length;
      const page = await this.store.readAll({
        ...(place === undefined ? {} : { after: place }),
        limit: wanted,
      });
      own.push(...this.#ownOf(page));
      if (page.length < wanted) break;
      place = page.at(-1)!.position;
    }
    return own;
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    return this.store.subscribe(after, {
      handle: async (events) => {
        const own = this.#ownOf(events);
        if (own.length > 0) await handler.handle(own);
      },
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

  /** Backwards there is no place to read on from: more is read until enough of it is ours. */
  async #newest(options: ReadAllOptions): Promise<RecordedEvent[]> {
    for (let wanted = options.limit; ; wanted *= 2) {
      const page = await this.store.readAll({ ...options, limit: wanted });
      const own = this.#ownOf(page);
      if (own.length >= options.limit || page.length < wanted) return own.slice(0, options.limit);
    }
  }

  #ownOf(events: readonly RecordedEvent[]): RecordedEvent[] {
    const { prefix } = this;
    return events.flatMap((event) =>
      event.stream.startsWith(prefix) ? [{ ...event, stream: event.stream.slice(prefix.length) }] : [],
    );
  }
}
