import { KeyedMutex } from '#kernel/keyed-mutex.js';

/** The tasks of one caller. */
interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs a task after all earlier tasks with the same key. */
type Run = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs a bounded number of tasks at once, and tasks with the same key one after another. Reasons: a client that has just
 * connected may reorder appends to one stream. A broken connection loses all appends in flight.
 */
export class AppendQueue {
  readonly #mutex = new KeyedMutex();
  /** Callers with waiting tasks. The first one is next. */
  readonly #waitingCallers = new Set<Caller>();
  #running = 0;

  /**
   * @param limit tasks that run at once
   * @param share tasks of one caller that run at once
   */
  constructor(
    private readonly limit: number,
    private readonly share = limit,
  ) {}

  /** The queue for one caller. It starts one task of each caller in rotation. */
  caller(): Run {
    const caller: Caller = { running: 0, waiting: [] };
    return (key, task) => this.#mutex.run([key], () => this.#runWithinLimits(caller, task));
  }

  async #runWithinLimits<Result>(caller: Caller, task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      caller.waiting.push(start);
      this.#waitingCallers.add(caller);
      this.#startNext();
    });
    try {
      return await task();
    } finally {
      this.#running -= 1;
      caller.running -= 1;
      this.#startNext();
    }
  }

  #startNext(): void {
    for (const caller of this.#waitingCallers) {
      if (this.#running >= this.limit) return;
      if (caller.running >= this.share) continue;
      this.#waitingCallers.delete(caller);
      this.#running += 1;
      caller.running += 1;
      caller.waiting.shift()!();
      // The loop also visits members added meanwhile, so this caller is next after all others.
      if (caller.waiting.length > 0) this.#waitingCallers.add(caller);
    }
  }
}
