import { convertToCommandError } from '@eventstore/db-client';
import type { Clock } from '#kernel/clock.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { isPosition } from '#eventsourcing/log/position.js';
import type { BatchClient, ReadCall } from './batch-client.js';
import { assertPosition } from './event-format.js';
import { type Delivery, followRequest } from './read-wire.js';
import { DeadlinePassedError } from '#kernel/within.js';

/** Messages in the buffer before the server must wait. Also the largest batch. */
const MOST_BUFFERED = 256;

/** A message whose order among the others matters. */
type OrderedDelivery = Exclude<Delivery, { readonly kind: 'confirmed' | 'other' }>;

/** Consecutive events. */
export interface FeedBatch {
  readonly events: RecordedEvent[];
  /** All events up to this position were delivered, so the next subscription may begin after it. */
  readonly position: bigint | undefined;
  readonly caughtUp: boolean;
}

/** One subscription call. It ends with the first error. */
export class SubscriptionFeed {
  /** Why the feed has ended; undefined before. */
  failure: unknown;
  /** The server has accepted the subscription. */
  confirmed = false;
  #ended = false;
  #released = false;
  #wake: () => void = () => undefined;
  /** Messages for the next batch. */
  #buffer: OrderedDelivery[] = [];
  #call: ReadCall | undefined;
  readonly #opening: Promise<ReadCall>;
  readonly #cancelConfirmationWatch: () => void;

  constructor(
    client: Pick<BatchClient, 'follow'>,
    clock: Clock,
    after: bigint | undefined,
    confirmWithin: number,
    streamPrefix: string | undefined,
  ) {
    this.#opening = client.follow(followRequest(after, streamPrefix), streamPrefix, (call) =>
      this.#attend(call),
    );
    this.#opening.catch((error: unknown) => this.#end(error));
    this.#cancelConfirmationWatch = clock.after(confirmWithin, () => {
      if (!this.confirmed) this.#end(new DeadlinePassedError(confirmWithin));
    });
  }

  /**
   * The next batch; undefined after the last one.
   * @throws StoreUnavailableError for an event without a position
   */
  async next(): Promise<FeedBatch | undefined> {
    for (;;) {
      const batch = this.#take();
      if (batch) return batch;
      if (this.#ended) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the feed and cancels the call. Idempotent. */
  release(reason: unknown = new Error('released')): void {
    this.#end(reason);
    this.#cancelConfirmationWatch();
    this.#released = true;
    this.#buffer = [];
    // Not awaited, because without a connection there is no call. In a later turn, because gRPC may be using the call.
    this.#opening.then(
      (call) => setImmediate(() => call.cancel()),
      () => undefined,
    );
    this.#call?.resume();
  }

  #attend(call: ReadCall): void {
    this.#call = call;
    call.on('data', (delivery: Delivery) => this.#receive(call, delivery));
    call.on('error', (error) => this.#end(convertToCommandError(error)));
    call.on('end', () => this.#end(new Error('the server ended the subscription')));
  }

  #receive(call: ReadCall, delivery: Delivery): void {
    if (this.#released) return;
    if (delivery.kind === 'confirmed') this.confirmed = true;
    if (!isOrdered(delivery)) return;
    this.#buffer.push(delivery);
    if (this.#buffer.length >= MOST_BUFFERED) call.pause();
    this.#wake();
  }

  #end(reason: unknown): void {
    if (!this.#ended) this.failure = reason;
    this.#ended = true;
    this.#wake();
  }

  /** The buffered messages up to the first `caught_up`; undefined if there are none. */
  #take(): FeedBatch | undefined {
    const events: RecordedEvent[] = [];
    let position: bigint | undefined;
    let caughtUp = false;
    let taken = 0;
    for (const delivery of this.#buffer) {
      taken += 1;
      caughtUp = delivery.kind === 'caught_up';
      if (delivery.kind === 'caught_up') break;
      if (delivery.kind === 'event') events.push(delivery.event);
      position = delivery.kind === 'event' ? assertPosition(delivery.event.position) : delivery.position;
    }
    this.#buffer = this.#buffer.slice(taken);
    this.#call?.resume();
    return taken === 0 ? undefined : { events, position, caughtUp };
  }
}

/** Leaves out the checkpoint "before everything" of an empty log: no subscription can begin there. */
function isOrdered(delivery: Delivery): delivery is OrderedDelivery {
  if (delivery.kind === 'checkpoint') return isPosition(delivery.position);
  return delivery.kind === 'event' || delivery.kind === 'caught_up';
}
