import { tooManyAttempts } from './api-error.js';
import type { Clock } from '../config/clock.js';

export interface SlotLimits {
  readonly atOnce: number;
  /** How many may wait in each of the two queues, and how long. */
  readonly waiting: number;
  readonly waitSeconds: number;
}

/** Lets so many pieces of work go on at once; few wait, and briefly. */
export class Slots {
  #taken = 0;
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];

  constructor(
    private readonly limits: SlotLimits,
    private readonly clock: Clock,
  ) {}

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /**
   * @param goesFirst before all who do not
   * @returns gives the slot back; called again, it does nothing
   * @throws ApiError 429 where too many wait, or this one has waited too long
   */
  async take(goesFirst = false): Promise<() => void> {
    if (this.#taken < this.limits.atOnce) this.#taken += 1;
    else await this.#wait(goesFirst ? this.#first : this.#others);
    let isHeld = true;
    return () => {
      if (isHeld) this.#pass();
      isHeld = false;
    };
  }

  /** Whoever waits takes the place of the one who has ended. */
  #pass(): void {
    const next = this.#first.shift() ?? this.#others.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  #wait(queue: (() => void)[]): Promise<void> {
    const { waiting, waitSeconds } = this.limits;
    const refusal = () => tooManyAttempts({ windowSeconds: waitSeconds, retryAfterSeconds: waitSeconds });
    if (queue.length >= waiting) throw refusal();
    return new Promise((resolve, reject) => {
      const begin = () => {
        giveUp();
        resolve();
      };
      const giveUp = this.clock.after(waitSeconds * 1_000, () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(refusal());
      });
      queue.push(begin);
    });
  }
}
