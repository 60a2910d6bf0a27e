import {
  excludeSystemEvents,
  START,
  streamNameFilter,
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  type EventStoreDBClient,
  type Position,
} from '@eventstore/db-client';
import type { Clock } from '../../config/clock.js';
import type { RecordedEvent } from '../event-store.js';
import { isPosition } from '../position.js';
import { toRecordedEvent } from './event-format.js';
import { DeadlinePassedError } from './waiting.js';

/** Events that the client buffers ahead of the handler; beyond it, the server waits. Also the largest batch. */
const MOST_BUFFERED = 256;

/** How far the server has searched, or that it has sent all that was stored: put among the events, where it belongs. */
type Marker = { readonly marker: 'checkpoint'; readonly position: bigint } | { readonly marker: 'caught_up' };

/** A run of events as they came, and what the server said about the place after them. */
export interface FeedBatch {
  readonly events: RecordedEvent[];
  /** The server has nothing more before this position; from here a subscription may be made again. */
  readonly position: bigint | undefined;
  readonly caughtUp: boolean;
}

/**
 * One subscription of the client: it ends with the first error and never resumes. The client's callbacks for
 * checkpoints and for having caught up run ahead of the events still in its buffer, so they are not acted upon: they
 * push a marker into the same buffer, which comes out in its place.
 */
export class SubscriptionFeed {
  /** Why the feed has ended; undefined while it lives. */
  failure: unknown;
  /** The server has accepted the subscription. */
  confirmed = false;
  private ended = false;
  private wake: () => void = () => undefined;
  private readonly subscription: AllStreamSubscription;
  private readonly cancelConfirmationWatch: () => void;

  constructor(
    client: EventStoreDBClient,
    clock: Clock,
    after: bigint | undefined,
    confirmWithin: number,
    streamPrefix: string | undefined,
  ) {
    const checkpointReached = (of: AllStreamSubscription, { commit }: Position) => {
      // An empty log reports "before everything", which is no place to go on from.
      if (isPosition(commit)) put(of, { marker: 'checkpoint', position: commit });
    };
    this.subscription = client.subscribeToAll(
      {
        fromPosition: after === undefined ? START : { commit: after, prepare: after },
        requiresLeader: true,
        filter:
          streamPrefix === undefined
            ? excludeSystemEvents({ checkpointReached })
            : streamNameFilter({ prefixes: [streamPrefix], checkpointReached }),
      },
      { highWaterMark: MOST_BUFFERED },
    );
    this.subscription.on('confirmation', () => {
      this.confirmed = true;
    });
    this.subscription.on('caughtUp', () => put(this.subscription, { marker: 'caught_up' }));
    this.subscription.on('readable', () => this.wake());
    this.subscription.on('error', (error) => this.end(error));
    this.subscription.on('end', () => this.end(new Error('the server ended the subscription')));
    this.cancelConfirmationWatch = clock.after(confirmWithin, () => {
      if (!this.confirmed) this.end(new DeadlinePassedError(confirmWithin));
    });
  }

  /** The next run of events; undefined once the feed has ended and what had arrived before has been taken. */
  async next(): Promise<FeedBatch | undefined> {
    for (;;) {
      const batch = this.take();
      if (batch) return batch;
      if (this.ended) return undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** Ends the feed and lets go of the call. Idempotent. */
  release(reason: unknown = new Error('released')): void {
    this.end(reason);
    this.cancelConfirmationWatch();
    // Not awaited: before the client is connected, cancelling waits for the connection.
    void this.subscription.unsubscribe().catch(() => undefined);
    this.subscription.destroy();
  }

  private end(reason: unknown): void {
    if (!this.ended) this.failure = reason;
    this.ended = true;
    this.wake();
  }

  /** Everything that has arrived, up to the largest batch or a marker; undefined where nothing has. */
  private take(): FeedBatch | undefined {
    const events: RecordedEvent[] = [];
    let position: bigint | undefined;
    while (events.length < MOST_BUFFERED) {
      const item = this.subscription.read() as AllStreamResolvedEvent | Marker | null;
      if (item === null) break;
      if ('marker' in item) {
        if (item.marker === 'caught_up') return { events, position, caughtUp: true };
        position = item.position;
        continue;
      }
      const event = toRecordedEvent(item.event);
      if (event) {
        events.push(event);
        position = event.position;
      }
    }
    return position === undefined ? undefined : { events, position, caughtUp: false };
  }
}

function put(subscription: AllStreamSubscription, marker: Marker): void {
  subscription.push(marker);
}
