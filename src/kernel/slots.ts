import { type Deadline, GivenUpError } from './yielder.js';
import type { Clock } from './clock.js';
import { tooManyAttempts } from './errors/api-error.js';

export interface SlotLimits {
  readonly atOnce: number;
  /** Most waiting callers in each of the two queues. */
  readonly waiting: number;
  readonly waitSeconds: number;
}

/** Starts the work. @returns false if its request is over */
type Waiting = () => boolean;

/** Limits how much work runs at once. A few more callers wait, each for a short time. */
export class Slots {
  #taken = 0;
  readonly #first: Waiting[] = [];
  readonly #others: Waiting[] = [];

  constructor(
    private readonly limits: SlotLimits,
    private readonly clock: Clock,
  ) {}

  get isIdle(): boolean {
    return this.#taken === 0;
  }

  get isFull(): boolean {
    return this.#taken >= this.limits.atOnce;
  }

  /**
   * @param hasPriority true: served before all callers without priority
   * @param deadline of the request; if it is over, the slot goes to the next caller
   * @returns a function that releases the slot; more calls do nothing
   * @throws ApiError 429 if too many callers wait, or the wait was too long. @throws GivenUpError if the request is over
   */
  async take(hasPriority = false, deadline?: Deadline): Promise<() => void> {
    if (!this.isFull) this.#taken += 1;
    else await this.#wait(hasPriority ? this.#first : this.#others, deadline);
    let isHeld = true;
    return () => {
      if (isHeld) this.#pass();
      isHeld = false;
    };
  }

  #pass(): void {
    for (;;) {
      const next = this.#first.shift() ?? this.#others.shift();
      if (next === undefined) this.#taken -= 1;
      if (next === undefined || next()) return;
    }
  }

  #wait(queue: Waiting[], deadline: Deadline | undefined): Promise<void> {
    const { waiting, waitSeconds } = this.limits;
    const refusal = () => tooManyAttempts({ windowSeconds: waitSeconds, retryAfterSeconds: waitSeconds });
    if (queue.length >= waiting) throw refusal();
    return new Promise((resolve, reject) => {
      const begin = () => {
        cancelTimeout();
        const isOver = deadline?.isOver === true;
        if (isOver) reject(new GivenUpError());
        else resolve();
        return !isOver;
      };
      const cancelTimeout = this.clock.after(waitSeconds * 1_000, () => {
        queue.splice(queue.indexOf(begin), 1);
        reject(refusal());
      });
      queue.push(begin);
    });
  }
}
