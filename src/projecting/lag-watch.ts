import { realTimeOf } from '../log/real-time.js';
import type { Clock } from '../config/clock.js';
import type { EventStore } from '../log/event-store.js';
import { waitingEvents, type WaitingEvents } from '../log/waiting-events.js';

/** Counted no further: what is beyond takes a while, whatever it is. */
const FARTHEST_COUNTED_LAG = 1_000;
/** Events of whomever that are looked at: about what a server reads in the time that who asks for readiness waits. */
const FARTHEST_LOOK = 50_000;
/** Milliseconds that events may wait while none is handled. */
const LONGEST_STANDSTILL = 30_000;

/** How far the views are behind the log. */
export interface ProjectionState {
  /** Events that have not been handled, up to a thousand; null where that is not known. */
  readonly lag: number | null;
  /** Events have waited for 30 s and none was handled meanwhile, the log is another one, or it is not known whether any waits. */
  readonly stalled: boolean;
  /** Why it is not known. */
  readonly detail?: string;
}

/** Watches whether what waits in the log is being handled. */
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

  /** Up to which everything has been handled, as far as is known. */
  get position(): bigint | undefined {
    return this.#position;
  }

  /** Everything up to this position has been handled. */
  reached(position: bigint | undefined): void {
    if (position === this.#position) return;
    this.#position = position;
    this.#movedAt = this.clock.now();
  }

  /**
   * As the look tells that is under way, where one is: it may have begun before the newest events were stored.
   * @throws StoreUnavailableError @throws PositionLostError
   */
  async state(): Promise<ProjectionState> {
    const { events, isAll } = await this.#waiting();
    if (!isAll && events.length < FARTHEST_COUNTED_LAG) {
      return {
        lag: null,
        stalled: true,
        detail: `More than ${FARTHEST_LOOK} events of the log are still to be read. The lag is not known.`,
      };
    }
    const since = Math.max(this.#movedAt, events[0] === undefined ? Infinity : realTimeOf(events[0]) || 0);
    return { lag: events.length, stalled: this.clock.now() - since >= LONGEST_STANDSTILL };
  }

  #waiting(): Promise<WaitingEvents> {
    const reach = { limit: FARTHEST_COUNTED_LAG, atMost: FARTHEST_LOOK };
    this.#looking ??= waitingEvents(this.store, this.#position ?? 0n, reach).finally(
      () => (this.#looking = undefined),
    );
    return this.#looking;
  }
}
