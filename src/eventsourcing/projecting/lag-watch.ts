import { realTimeOf } from '#eventsourcing/log/real-time.js';
import type { Clock } from '#kernel/clock.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { waitingEvents, type WaitingEvents } from '#eventsourcing/log/waiting-events.js';

/** The largest lag that is counted. */
const MOST_COUNTED = 1_000;
/** The most events of all applications that are read. A server reads about so many before a readiness check times out. */
const MOST_EVENTS_SCANNED = 50_000;
/** Events may wait so long while none is handled. */
const LONGEST_STANDSTILL_MS = 30_000;

/**
 * The lag of the check of the views behind the log. The process that appends an event writes it to the views at once, and
 * the leader checks it one second later. So a healthy service has one to two seconds of events here.
 */
export interface ViewsLag {
  /** Events that were not checked yet, at most 1,000. Null if it is not known. */
  readonly lag: number | null;
  /** Milliseconds since the oldest of them was appended; 0 without one. Null if it is not known. */
  readonly age_ms: number | null;
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
        age_ms: null,
        stalled: true,
        detail: `More than ${MOST_EVENTS_SCANNED} events of the log are still to be read. The lag is not known.`,
      };
    }
    const now = this.clock.now();
    const oldest = events[0] === undefined ? now : realTimeOf(events[0]) || 0;
    return {
      lag: events.length,
      age_ms: Math.max(0, now - oldest),
      stalled: now - Math.max(this.#movedAt, oldest) >= LONGEST_STANDSTILL_MS,
    };
  }

  #waiting(): Promise<WaitingEvents> {
    const reach = { limit: MOST_COUNTED, atMost: MOST_EVENTS_SCANNED };
    this.#looking ??= waitingEvents(this.store, this.#position ?? 0n, reach).finally(
      () => (this.#looking = undefined),
    );
    return this.#looking;
  }
}
