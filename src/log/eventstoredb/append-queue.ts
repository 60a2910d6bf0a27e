/** One caller of the queue and its tasks. */
interface Caller {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs a task after the tasks of the same key that were asked for before. */
type Run = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>;

/**
 * Runs a bounded number of tasks at once, and one at a time per key, in the order of asking. A client that has just
 * connected may reorder pipelined appends to one stream. An unbounded number of appends would fill buffers that are lost
 * together when the connection breaks.
 */
export class AppendQueue {
  readonly #tails = new Map<string, Promise<void>>();
  /** Callers with waiting tasks. The first one is next. */
  readonly #turns = new Set<Caller>();
  #running = 0;

  /**
   * @param limit tasks that run at once
   * @param share tasks of one caller that run at once
   */
  constructor(
    private readonly limit: number,
    private readonly share = limit,
  ) {}

  /** The queue for one caller. Callers with waiting tasks start them in turns. */
  caller(): Run {
    const caller: Caller = { running: 0, waiting: [] };
    return async (key, task) => {
      const before = this.#tails.get(key) ?? Promise.resolve();
      const result = before.then(() => this.#admitted(caller, task));
      const tail = result.then(
        () => undefined,
        () => undefined,
      );
      this.#tails.set(key, tail);
      try {
        return await result;
      } finally {
        if (this.#tails.get(key) === tail) this.#tails.delete(key);
      }
    };
  }

  async #admitted<Result>(caller: Caller, task: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      caller.waiting.push(start);
      this.#turns.add(caller);
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
    for (const caller of this.#turns) {
      if (this.#running >= this.limit) return;
      if (caller.running >= this.share) continue;
      this.#turns.delete(caller);
      this.#running += 1;
      caller.running += 1;
      caller.waiting.shift()!();
      // A Set visits what is added during the visit, so the caller gets its next turn after all others.
      if (caller.waiting.length > 0) this.#turns.add(caller);
    }
  }
}
