import { realTimeOf } from '../log/real-time.js';
import type { Clock } from '../config/clock.js';
import type { EventStore, RecordedEvent } from '../log/event-store.js';

/** Counted no further: what is beyond takes a while, whatever it is. */
const FARTHEST_COUNTED_LAG = 1_000;
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

  /** @throws StoreUnavailableError */
  async state(): Promise<ProjectionState> {
    const waiting = await this.#waiting();
    const since = Math.max(this.#movedAt, waiting[0] === undefined ? Infinity : writtenAt(waiting[0]));
    return { lag: waiting.length, stalled: this.clock.now() - since >= LONGEST_STANDSTILL };
  }

  /** What others have stored meanwhile is looked through once, however often this is asked. */
  async #waiting(): Promise<RecordedEvent[]> {
    const position = this.#position;
    const after = this.#lookedUpTo ?? position;
    let end = after;
    const look = { atMost: Infinity, upTo: (place: bigint) => void (end = place) };
    const options = { limit: FARTHEST_COUNTED_LAG, look };
    const waiting = await this.store.readAll(after === undefined ? options : { ...options, after });
    if (waiting.length === 0 && position === this.#position) this.#lookedUpTo = end;
    return waiting;
  }
}

function writtenAt({ metadata }: RecordedEvent): number {
  return realTimeOf({ metadata }) || 0;
}
