/**
 * Lets what writes views go on side by side, until somebody needs them to stand still: whoever reads a view to write it
 * passes here as a whole. Never passed within itself: a piece of work that waits here while it holds others up would
 * wait for itself.
 */
export class ViewsGate {
  /** Changes with the views: what was read of them in another turn may not be of those that stand. */
  turn = 0;
  #inside = 0;
  #closed: Promise<void> | undefined;
  #whenEmpty: () => void = () => undefined;

  /** @param demandOpen whether what was written until now is in the views that will be served from; absent where one process serves */
  constructor(private readonly demandOpen?: () => Promise<void>) {}

  /**
   * Runs `work` at once, or after whoever has the views alone.
   * @throws StoreUnavailableError where the views were replaced meanwhile by another process, whatever became of the work
   */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    this.#inside += 1;
    try {
      const result = await work();
      await this.demandOpen?.();
      return result;
    } finally {
      this.#inside -= 1;
      if (this.#inside === 0) this.#whenEmpty();
    }
  }

  /** Runs `work` once nothing else is inside; what comes meanwhile waits. Those who ask for it follow one another. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    while (this.#closed !== undefined) await this.#closed;
    let open: () => void = () => undefined;
    this.#closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.#inside > 0) await new Promise<void>((resolve) => (this.#whenEmpty = resolve));
      return await work();
    } finally {
      this.turn += 1;
      this.#closed = undefined;
      open();
    }
  }
}
