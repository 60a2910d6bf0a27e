import { backOff } from '#kernel/core/back-off.js';
import type { Clock } from '#kernel/clock.js';
import { pause } from '#kernel/pause.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { RecordedEvent, Subscription, SubscriptionHandler } from '#eventsourcing/log/event-store.js';
import { PositionLostError } from '#eventsourcing/log/event-store.errors.js';
import type { BatchClient } from './batch-client.js';
import { isInvalidPosition, isRefusedByServer, firstLineOf } from './client-errors.js';
import type { ClientReads } from './client-reads.js';
import { SubscriptionFeed, type FeedBatch } from './subscription-feed.js';
import type { EventStoreDbTimings } from './timings.js';

/** The parts of the adapter that a subscription uses. */
export interface SubscriptionContext {
  readonly client: Pick<BatchClient, 'follow'>;
  readonly reads: ClientReads;
  readonly clock: Clock;
  readonly timings: EventStoreDbTimings;
  readonly log: (line: string) => void;
  readonly streamPrefix?: string | undefined;
}

/**
 * The port's subscription. After an interruption it opens a new feed after the last handled position, so it loses and
 * repeats no event. It handles one batch at a time; meanwhile the client's buffer fills, and then the server waits.
 */
export class AllSubscription implements Subscription {
  readonly #stopping = new AbortController();
  readonly #stopped = new Promise<void>((resolve) => {
    this.#stopping.signal.addEventListener('abort', () => resolve());
  });
  #caughtUp = false;
  #failures = 0;
  /** The last handled event. */
  #last: RecordedEvent | undefined;
  #feed: SubscriptionFeed | undefined;
  /** Resolves after the last call of the handler. */
  readonly ended: Promise<void>;

  constructor(
    private readonly context: SubscriptionContext,
    private position: bigint | undefined,
    private readonly handler: SubscriptionHandler,
  ) {
    this.ended = this.#run();
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#feed?.release();
    await this.ended;
  }

  async #run(): Promise<void> {
    // `subscribe` must return before the first call of the handler.
    await Promise.resolve();
    try {
      while (!this.#isStopping) {
        await this.#readFeed();
        if (!this.#isStopping) await this.#pauseBeforeRetry();
        if (!this.#isStopping) await this.#assertSameLog();
      }
    } catch (error) {
      if (!this.#isStopping) this.handler.failed?.(error);
    }
  }

  /** Handles one feed until it ends. A rejection ends the whole subscription. */
  async #readFeed(): Promise<void> {
    const { client, clock, timings, streamPrefix } = this.context;
    const confirmWithin = timings.subscribeConfirmation;
    const feed = new SubscriptionFeed(client, clock, this.position, confirmWithin, streamPrefix);
    this.#feed = feed;
    const openedAt = clock.now();
    try {
      for (;;) {
        const batch = await feed.next();
        if (!batch || this.#isStopping) break;
        await this.#deliver(batch);
      }
    } finally {
      feed.release();
    }
    // The feed was healthy for some time, even without events. So the next interruption is logged again.
    if (feed.confirmed && clock.now() - openedAt > timings.subscribeConfirmation) this.#failures = 0;
    if (!this.#isStopping) this.#handleFailure(feed.failure);
  }

  async #deliver({ events, position, caughtUp }: FeedBatch): Promise<void> {
    const last = this.position ?? -1n;
    const newEvents = events.filter((event) => event.position > last);
    await this.#handle(newEvents);
    if (position !== undefined && position > last) await this.#advance(position, newEvents.at(-1));
    if (!caughtUp || this.#caughtUp || this.#isStopping) return;
    this.#caughtUp = true;
    this.handler.caughtUp?.();
  }

  async #handle(events: RecordedEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.#failures = 0;
    await this.handler.handle(events);
    this.#last = events.at(-1);
  }

  async #advance(position: bigint, last: RecordedEvent | undefined): Promise<void> {
    this.position = position;
    if (position !== last?.position) await this.handler.passed?.(position);
  }

  /** The server accepts a subscription beyond the end of the log, for example after the restore of an older backup. */
  async #assertSameLog(): Promise<void> {
    const { position } = this;
    if (position === undefined) return;
    // If the server does not answer, the next feed fails as well.
    const reaches = this.#reaches(position).catch(() => undefined);
    if ((await Promise.race([this.#stopped, reaches])) === false) throw new PositionLostError(position);
  }

  async #reaches(position: bigint): Promise<boolean> {
    const { reads } = this.context;
    const last = this.#last;
    // In the whole log: somebody may have deleted the event's stream meanwhile.
    const [head = 0n, isThere] = await Promise.all([reads.head(), last === undefined || reads.holds(last)]);
    return head >= position && isThere;
  }

  /** After an interruption the subscription goes on; a refusal ends it. */
  #handleFailure(failure: unknown): void {
    if (this.position !== undefined && isInvalidPosition(failure)) throw new PositionLostError(this.position);
    if (isRefusedByServer(failure)) {
      throw new StoreUnavailableError(
        `The event store refuses the subscription: ${firstLineOf(failure)}.`,
        false,
      );
    }
    this.#failures += 1;
    if (this.#failures === 1) {
      this.context.log(
        `The subscription to the event store was interrupted (${firstLineOf(failure)}); subscribing again.`,
      );
    }
  }

  #pauseBeforeRetry(): Promise<void> {
    const { clock, timings } = this.context;
    return pause(clock, backOff(this.#failures, timings.backOff), this.#stopping.signal);
  }
}
