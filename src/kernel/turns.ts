import { setImmediate, setTimeout } from 'node:timers';

/** Work that finds its turn of the event loop longer than this waits for a later one. */
const LONG_TURN_MS = 5;

type Resume = () => void;

/**
 * Shares the event loop. Embedded stores answer without a pause, so without it one request would run to its end before the
 * next one begins. In each turn all small work that waits goes on, and one piece of large work, in the order in which it
 * came. So a small request never waits behind the large ones of others.
 */
export class Turns {
  #isMeasured = false;
  #began = 0;
  #small: Resume[] = [];
  readonly #large: Resume[] = [];
  #isSimulated = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** In a simulated world real time must not change the order of things: no turn is long, and none is shared out. */
  simulate(): void {
    this.#isSimulated = true;
  }

  endSimulation(): void {
    this.#isSimulated = false;
  }

  /** A promise to await before more of large work, if the present turn has lasted long; otherwise undefined. */
  pauseIfLong(): Promise<void> | undefined {
    return this.#isLong() ? this.next() : undefined;
  }

  /** Like {@link pauseIfLong}, before a read of microseconds. */
  pauseBriefly(): Promise<void> | undefined {
    return this.#isLong() ? new Promise((resolve) => this.#small.push(resolve)) : undefined;
  }

  /** Resolves in a later turn. Before work of some milliseconds that cannot be divided. */
  next(): Promise<void> {
    if (this.#isSimulated) return new Promise((resolve) => setImmediate(resolve));
    this.#measure();
    return new Promise((resolve) => this.#large.push(resolve));
  }

  #isLong(): boolean {
    if (this.#isSimulated) return false;
    this.#measure();
    return this.now() - this.#began >= LONG_TURN_MS;
  }

  #measure(): void {
    if (this.#isMeasured) return;
    this.#isMeasured = true;
    this.#began = this.now();
    setImmediate(() => this.#turn());
  }

  /** Immediates run after new requests have been read, and timers before. */
  #turn(): void {
    this.#isMeasured = false;
    if (this.#small.length + this.#large.length === 0) return;
    this.#measure();
    // What waited must not use up the time of new requests.
    setTimeout(() => (this.#began = this.now()), 1);
    const small = this.#small;
    this.#small = [];
    for (const resume of small) resume();
    this.#large.shift()?.();
  }
}

/** The turns of this process. */
export const TURNS = new Turns();
