import { realTimeOf } from '../log/real-time.js';
import type { Clock } from '../config/clock.js';
import type { EventStore, RecordedEvent } from '../log/event-store.js';
import { isPositionLostError } from '../log/event-store.errors.js';

/** Counted no further: what is beyond takes a while, whatever it is. */
const FARTHEST_COUNTED_LAG = 1_000;
/** Events of whomever that one step of a look passes. */
const LOOKED_AT_ONCE = 1_000;
/** Milliseconds that events may wait while none is handled. */
const LONGEST_STANDSTILL = 30_000;

/** How far the views are behind the log. */
export interface ProjectionState {
  /** Events that have not been handled, up to a thousand; null where the log is another one. */
  readonly lag: number | null;
  /** Events have waited for 30 s and none was handled meanwhile, or the log is another one. */
  readonly stalled: boolean;
}

/** Watches whether what waits in the log is being handled. */
export class LagWatch {
  #position: bigint | undefined;
  /** Up to where others' events alone stand behind it. */
  #lookedUpTo: bigint | undefined;
  #movedAt: number;
  #looking: Promise<RecordedEvent[]> | undefined;

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
    this.#lookedUpTo = undefined;
    this.#movedAt = this.clock.now();
  }

  /**
   * As the look tells that is under way, where one is: it may have begun before the newest events were stored.
   * @throws StoreUnavailableError @throws PositionLostError
   */
  async state(): Promise<ProjectionState> {
    const waiting = await this.#waiting();
    const since = Math.max(this.#movedAt, waiting[0] === undefined ? Infinity : writtenAt(waiting[0]));
    return { lag: waiting.length, stalled: this.clock.now() - since >= LONGEST_STANDSTILL };
  }

  #waiting(): Promise<RecordedEvent[]> {
    this.#looking ??= this.#lookOrBeginAnew().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookOrBeginAnew(): Promise<RecordedEvent[]> {
    try {
      return await this.#look();
    } catch (error) {
      if (this.#lookedUpTo === undefined || !isPositionLostError(error)) throw error;
      // An older log was put back, which need not reach as far as was looked and may hold all that was handled.
      this.#lookedUpTo = undefined;
      return this.#look();
    }
  }

  /** What others have stored is looked through once, however often this is asked and wherever a look ends. */
  async #look(): Promise<RecordedEvent[]> {
    const head = (await this.store.head()) ?? 0n;
    const position = this.#position;
    const waiting: RecordedEvent[] = [];
    let place = this.#lookedUpTo ?? position ?? 0n;
    for (let isThrough = place === head; !isThrough && waiting.length < FARTHEST_COUNTED_LAG;) {
      let end = place;
      const look = { atMost: LOOKED_AT_ONCE, upTo: (reached: bigint) => void (end = reached) };
      waiting.push(...(await this.store.readAll({ after: place, limit: FARTHEST_COUNTED_LAG, look })));
      if (waiting.length === 0 && position === this.#position) this.#lookedUpTo = end;
      isThrough = end === place || end >= head;
      place = end;
    }
    return waiting.slice(0, FARTHEST_COUNTED_LAG);
  }
}

function writtenAt({ metadata }: RecordedEvent): number {
  return realTimeOf({ metadata }) || 0;
}
