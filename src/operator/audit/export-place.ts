import type { Clock } from '../../config/clock.js';

/** A reader loses the place once it is so far behind {@link LEAST_RATE}, in milliseconds. Others wait 8 s for it. */
const MOST_BEHIND = 6_000;
/** The least rate of a reader, in characters a millisecond: 256 kB a second. */
const LEAST_RATE = 256;

/** A place among the exports that are written at once. It waits for the reader from the start. */
export class ExportPlace {
  #isLost = false;
  #stop: () => void = () => undefined;
  /** How far the reader is behind, in milliseconds. */
  #behind = 0;
  #since = 0;

  constructor(
    private readonly release: () => void,
    private readonly clock: Clock,
  ) {
    this.waitForReader();
  }

  /** From here on it is the reader's turn. */
  waitForReader(): void {
    this.#since = this.clock.now();
    this.#stop = this.clock.after(MOST_BEHIND - this.#behind, () => {
      this.#isLost = true;
      this.release();
    });
  }

  /** @param taken characters @throws Error if the reader took too long */
  resume(taken: number): void {
    this.#stop();
    if (this.#isLost)
      throw new Error('The export ended: its reader took less than 256 kB a second. Start it again.');
    const waited = this.clock.now() - this.#since;
    this.#behind = Math.max(0, this.#behind + waited - taken / LEAST_RATE);
  }

  leave(): void {
    this.#stop();
    this.release();
  }
}
