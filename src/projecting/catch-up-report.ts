import type { Clock } from '../config/clock.js';
import type { Logger } from '../config/logger.js';

/** Milliseconds between two lines. */
const INTERVAL = 5_000;

/** Logs the progress and the speed of a long catch-up, a line every 5 s. */
export class CatchUpReport {
  readonly #startedAt: number;
  #first: bigint | undefined;
  #reportedAt: number;
  #events = 0;

  /** @param end the last position of the catch-up */
  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly end: bigint,
  ) {
    this.#startedAt = this.#reportedAt = clock.now();
  }

  /** @param events number of events handled since the last call; 0 if it is not known */
  reached(position: bigint, events = 0): void {
    this.#first ??= position;
    this.#events += events;
    const now = this.clock.now();
    if (now - this.#reportedAt < INTERVAL) return;
    this.#reportedAt = now;
    const seconds = (now - this.#startedAt) / 1_000;
    const done = Number(position - this.#first);
    const left = Number(this.end > position ? this.end - position : 0n);
    this.logger.info(
      {
        percent: Math.floor((100 * Number(position)) / Number(this.end)),
        ...(this.#events > 0 && { events_per_second: Math.round(this.#events / seconds) }),
        ...(done > 0 && { seconds_left: Math.ceil((left * seconds) / done) }),
      },
      'The views are catching up with the log.',
    );
  }
}
