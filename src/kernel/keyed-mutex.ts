/**
 * Within this process, runs work with the same keys one after another. All keys are taken in one synchronous step, so
 * there is no deadlock.
 */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when all earlier work on any of `keys` has settled. @param work gets true if it had to wait */
  async run<T>(keys: readonly string[], work: (waited: boolean) => Promise<T>): Promise<T> {
    const earlier: Promise<void>[] = [];
    let release!: () => void;
    const mine = new Promise<void>((resolve) => (release = resolve));
    for (const key of keys) {
      const tail = this.#tails.get(key);
      if (tail !== undefined) earlier.push(tail);
      this.#tails.set(key, mine);
    }
    if (earlier.length > 0) await Promise.all(earlier);
    try {
      return await work(earlier.length > 0);
    } finally {
      for (const key of keys) if (this.#tails.get(key) === mine) this.#tails.delete(key);
      release();
    }
  }
}
