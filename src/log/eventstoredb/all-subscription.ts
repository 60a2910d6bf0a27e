import { backOff } from '../../base/core/back-off.js';
import type { Clock } from '../../config/clock.js';
import { pause } from '../../config/pause.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { RecordedEvent, Subscription, SubscriptionHandler } from '../event-store.js';
import { PositionLostError } from '../event-store.errors.js';
import type { BatchClient } from './batch-client.js';
import { isInvalidPosition, isRefusal, reasonOf } from './client-errors.js';
import type { ClientReads } from './client-reads.js';
import { SubscriptionFeed, type FeedBatch } from './subscription-feed.js';
import type { EventStoreDbTimings } from './timings.js';

/** The part of the adapter that a subscription needs. */
export interface SubscriptionContext {
  readonly client: Pick<BatchClient, 'follow'>;
  readonly reads: ClientReads;
  readonly clock: Clock;
  readonly timings: EventStoreDbTimings;
  readonly log: (line: string) => void;
  readonly streamPrefix?: string | undefined;
}

/**
 * The port's subscription: one feed of the client after another, each from the last position that was handled, so that
 * an interruption neither loses nor repeats an event. One batch is handled at a time; while the handler works, the
 * client's buffer fills and then the server waits.
 */
export class AllSubscription implements Subscription {
  private readonly stopping = new AbortController();
  private readonly stopped = new Promise<void>((resolve) => {
    this.stopping.signal.addEventListener('abort', () => resolve());
  });
  private caughtUp = false;
  private failures = 0;
  /** The last event that was handled. */
  private last: RecordedEvent | undefined;
  private feed: SubscriptionFeed | undefined;
  private readonly finished: Promise<void>;

  constructor(
    private readonly context: SubscriptionContext,
    private position: bigint | undefined,
    private readonly handler: SubscriptionHandler,
  ) {
    this.finished = this.run();
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.feed?.release();
    await this.finished;
  }

  private async run(): Promise<void> {
    // The handler is never called before `subscribe` has returned.
    await Promise.resolve();
    try {
      while (!this.isStopping) {
        await this.follow();
        if (!this.isStopping) await this.rest();
        if (!this.isStopping) await this.demandSameLog();
      }
    } catch (error) {
      if (!this.isStopping) this.handler.failed?.(error);
    }
  }

  /** Handles one feed until it ends. Rejects only with what ends the whole subscription. */
  private async follow(): Promise<void> {
    const { client, clock, timings, streamPrefix } = this.context;
    const confirmWithin = timings.subscribeConfirmation;
    const feed = new SubscriptionFeed(client, clock, this.position, confirmWithin, streamPrefix);
    this.feed = feed;
    const openedAt = clock.now();
    try {
      for (;;) {
        const batch = await feed.next();
        if (!batch || this.isStopping) break;
        await this.deliver(batch);
      }
    } finally {
      feed.release();
    }
    // A quiet spell that lasted is health too: the next interruption is a new one, and worth a line.
    if (feed.confirmed && clock.now() - openedAt > timings.subscribeConfirmation) this.failures = 0;
    if (!this.isStopping) this.judge(feed.failure);
  }

  private async deliver({ events, position, caughtUp }: FeedBatch): Promise<void> {
    const last = this.position ?? -1n;
    const news = events.filter((event) => event.position > last);
    await this.handle(news);
    if (position !== undefined && position > last) await this.reached(position, news.at(-1));
    if (!caughtUp || this.caughtUp || this.isStopping) return;
    this.caughtUp = true;
    this.handler.caughtUp?.();
  }

  private async handle(events: RecordedEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.failures = 0;
    await this.handler.handle(events);
    this.last = events.at(-1);
  }

  private async reached(position: bigint, last: RecordedEvent | undefined): Promise<void> {
    this.position = position;
    if (position !== last?.position) await this.handler.passed?.(position);
  }

  /** From beyond the end of a log that was put in its place, the server would follow in silence. */
  private async demandSameLog(): Promise<void> {
    const { position } = this;
    if (position === undefined) return;
    // If it cannot be asked, the next feed fails as well.
    const reaches = this.reaches(position).catch(() => undefined);
    if ((await Promise.race([this.stopped, reaches])) === false) throw new PositionLostError(position);
  }

  private async reaches(position: bigint): Promise<boolean> {
    const { reads } = this.context;
    const { last } = this;
    const [head = 0n, found] = await Promise.all([
      reads.head(),
      last && reads.stream(last.stream, { from: last.revision, limit: 1 }),
    ]);
    return head >= position && found?.[0]?.id === last?.id;
  }

  /** An interruption is healed; a refusal ends the subscription. */
  private judge(failure: unknown): void {
    if (this.position !== undefined && isInvalidPosition(failure)) throw new PositionLostError(this.position);
    if (isRefusal(failure)) {
      throw new StoreUnavailableError(
        `The event store refuses the subscription: ${reasonOf(failure)}.`,
        false,
      );
    }
    this.failures += 1;
    if (this.failures === 1) {
      this.context.log(
        `The subscription to the event store was interrupted (${reasonOf(failure)}); subscribing again.`,
      );
    }
  }

  private rest(): Promise<void> {
    const { clock, timings } = this.context;
    return pause(clock, backOff(this.failures, timings.backOff), this.stopping.signal);
  }
}
