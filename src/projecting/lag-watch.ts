import { realTimeOf } from '../log/real-time.js';
import type { Clock } from '../config/clock.js';
import type { EventStore } from '../log/event-store.js';
import { waitingEvents, type WaitingEvents } from '../log/waiting-events.js';

/** The largest lag that is counted. */
const MOST_COUNTED = 1_000;
/** The most events of all applications that are read. A server reads about so many before a readiness check times out. */
const MOST_EVENTS_SCANNED = 50_000;
/** Milliseconds. Events may wait so long while none is handled. */
const LONGEST_STANDSTILL = 30_000;

/** The lag of the views behind the log. */
export interface ViewsLag {
  /** Events that were not handled yet, at most 1,000. Null if it is not known. */
  readonly lag: number | null;
  /** True if events wait and none was handled for 30 s. Also if the views are of another log, or the lag is not known. */
  readonly stalled: boolean;
  /** The reason for which the lag is not known. */
  readonly detail?: string;
}

/** Measures the lag of the views, and whether it shrinks. */
export class LagWatch {
  #position: bigint | undefined;
  #movedAt: number;
  #looking: Promise<WaitingEvents> | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {
    this.#movedAt = clock.now();
  }

  /** The position up to which all events have been handled, as far as this process knows. */
  get position(): bigint | undefined {
    return this.#position;
  }

  /** Call it when all events up to this position have been handled. */
  reached(position: bigint | undefined): void {
    if (position === this.#position) return;
    this.#position = position;
    this.#movedAt = this.clock.now();
  }

  /**
   * Reads the waiting events. A call during a read shares its result.
   * @throws StoreUnavailableError @throws PositionLostError
   */
  async state(): Promise<ViewsLag> {
    const { events, isAll } = await this.#waiting();
    if (!isAll && events.length < MOST_COUNTED) {
      return {
        lag: null,
        stalled: true,
        detail: `More than ${MOST_EVENTS_SCANNED} events of the log are still to be read. The lag is not known.`,
      };
    }
    const since = Math.max(this.#movedAt, events[0] === undefined ? Infinity : realTimeOf(events[0]) || 0);
    return { lag: events.length, stalled: this.clock.now() - since >= LONGEST_STANDSTILL };
  }

  #waiting(): Promise<WaitingEvents> {
    const reach = { limit: MOST_COUNTED, atMost: MOST_EVENTS_SCANNED };
    this.#looking ??= waitingEvents(this.store, this.#position ?? 0n, reach).finally(
      () => (this.#looking = undefined),
    );
    return this.#looking;
  }
}
