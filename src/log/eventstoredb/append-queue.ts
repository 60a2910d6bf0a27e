/**
 * Admits a bounded number of tasks at once, and one at a time per key, each in the order of asking. Pipelined appends
 * to one stream may be reordered by a client that has just connected, and an unbounded number of them only fills
 * buffers that are all lost together when the connection breaks.
 */
export class AppendQueue {
  private readonly tails = new Map<string, Promise<void>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly limit: number) {}

  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.tails.get(key) ?? Promise.resolve();
    const result = before.then(() => this.admitted(task));
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    this.tails.set(key, tail);
    try {
      return await result;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }

  private async admitted<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running += 1;
    try {
      return await task();
    } finally {
      // A place is handed over rather than freed, so that nobody who asks later slips in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
