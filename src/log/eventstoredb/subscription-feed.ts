import { convertToCommandError } from '@eventstore/db-client';
import type { Clock } from '../../config/clock.js';
import type { RecordedEvent } from '../event-store.js';
import { isPosition } from '../position.js';
import type { BatchClient, ReadCall } from './batch-client.js';
import { demandPosition } from './event-format.js';
import { type Delivery, followRequest } from './read-wire.js';
import { DeadlinePassedError } from '../../base/within.js';

/** Deliveries that are held ahead of the handler; beyond it, the server waits. Also the largest batch. */
const MOST_BUFFERED = 256;

/** A message that tells something by its place among others. */
type Arrival = Exclude<Delivery, { readonly kind: 'confirmed' | 'other' }>;

/** A run of events as they came, and what the server said about the place after them. */
export interface FeedBatch {
  readonly events: RecordedEvent[];
  /** The server has nothing more before this position; from here a subscription may be made again. */
  readonly position: bigint | undefined;
  readonly caughtUp: boolean;
}

/** One subscription: it ends with the first error and never resumes. */
export class SubscriptionFeed {
  /** Why the feed has ended; undefined while it lives. */
  failure: unknown;
  /** The server has accepted the subscription. */
  confirmed = false;
  private ended = false;
  private released = false;
  private wake: () => void = () => undefined;
  /** Events that have come and were not taken yet, in the order of the log. */
  private arrived: Arrival[] = [];
  private call: ReadCall | undefined;
  private readonly opening: Promise<ReadCall>;
  private readonly cancelConfirmationWatch: () => void;

  constructor(
    client: Pick<BatchClient, 'follow'>,
    clock: Clock,
    after: bigint | undefined,
    confirmWithin: number,
    streamPrefix: string | undefined,
  ) {
    this.opening = client.follow(followRequest(after, streamPrefix), (call) => this.attend(call));
    this.opening.catch((error: unknown) => this.end(error));
    this.cancelConfirmationWatch = clock.after(confirmWithin, () => {
      if (!this.confirmed) this.end(new DeadlinePassedError(confirmWithin));
    });
  }

  /**
   * The next run of events; undefined once the feed has ended and what had arrived before has been taken.
   * @throws StoreUnavailableError for an event without a position
   */
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
    this.released = true;
    this.arrived = [];
    // Not awaited: before the client is connected, there is no call. Not in this turn: gRPC may be at work on it.
    this.opening.then(
      (call) => setImmediate(() => call.cancel()),
      () => undefined,
    );
    this.call?.resume();
  }

  private attend(call: ReadCall): void {
    this.call = call;
    call.on('data', (delivery: Delivery) => this.receive(call, delivery));
    call.on('error', (error) => this.end(convertToCommandError(error)));
    call.on('end', () => this.end(new Error('the server ended the subscription')));
  }

  private receive(call: ReadCall, delivery: Delivery): void {
    if (this.released) return;
    if (delivery.kind === 'confirmed') this.confirmed = true;
    if (!isArrival(delivery)) return;
    this.arrived.push(delivery);
    if (this.arrived.length >= MOST_BUFFERED) call.pause();
    this.wake();
  }

  private end(reason: unknown): void {
    if (!this.ended) this.failure = reason;
    this.ended = true;
    this.wake();
  }

  /** Everything that has arrived, up to where the server had sent all; undefined where nothing has. */
  private take(): FeedBatch | undefined {
    const events: RecordedEvent[] = [];
    let position: bigint | undefined;
    let caughtUp = false;
    let taken = 0;
    for (const arrival of this.arrived) {
      taken += 1;
      caughtUp = arrival.kind === 'caught_up';
      if (arrival.kind === 'caught_up') break;
      if (arrival.kind === 'event') events.push(arrival.event);
      position = arrival.kind === 'event' ? demandPosition(arrival.event.position) : arrival.position;
    }
    this.arrived = this.arrived.slice(taken);
    this.call?.resume();
    return taken === 0 ? undefined : { events, position, caughtUp };
  }
}

/** An empty log reports "before everything", which is no place to go on from. */
function isArrival(delivery: Delivery): delivery is Arrival {
  if (delivery.kind === 'checkpoint') return isPosition(delivery.position);
  return delivery.kind === 'event' || delivery.kind === 'caught_up';
}
