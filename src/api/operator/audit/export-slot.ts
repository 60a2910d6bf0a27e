import type { Clock } from '#kernel/clock.js';

/** A reader loses its slot when it is so many milliseconds behind {@link LEAST_RATE}. The next export waits 8 s for a slot. */
const MOST_BEHIND_MS = 6_000;
/** The least rate of a reader: characters a millisecond, which is 256 kB a second. */
const LEAST_RATE = 256;

/** The slot of one export. A reader that is too slow loses it to the next export. */
export class ExportSlot {
  #isLost = false;
  #stop: () => void = () => undefined;
  /** Milliseconds by which the reader is too late. */
  #behind = 0;
  #waitsSince = 0;

  constructor(
    private readonly release: () => void,
    private readonly clock: Clock,
  ) {
    this.waitForReader();
  }

  /** Call it before a chunk is handed to the reader. */
  waitForReader(): void {
    this.#waitsSince = this.clock.now();
    this.#stop = this.clock.after(MOST_BEHIND_MS - this.#behind, () => {
      this.#isLost = true;
      this.release();
    });
  }

  /** Call it when the reader has taken a chunk. @param taken characters @throws Error if the reader took too long */
  resume(taken: number): void {
    this.#stop();
    if (this.#isLost)
      throw new Error('The export ended: its reader took less than 256 kB a second. Start it again.');
    const waited = this.clock.now() - this.#waitsSince;
    this.#behind = Math.max(0, this.#behind + waited - taken / LEAST_RATE);
  }

  leave(): void {
    this.#stop();
    this.release();
  }
}
