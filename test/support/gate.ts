/** Holds up whoever passes while it is closed. It is open at first. */
export class Gate {
  #closed: Promise<void> | undefined;
  #open: () => void = () => undefined;
  #reached: () => void = () => undefined;
  #arrival: Promise<void> = Promise.resolve();

  close(): void {
    this.#closed = new Promise((resolve) => (this.#open = resolve));
    this.#arrival = new Promise((resolve) => (this.#reached = resolve));
  }

  open(): void {
    this.#closed = undefined;
    this.#open();
  }

  async pass(): Promise<void> {
    this.#reached();
    await this.#closed;
  }

  /** Resolves once somebody has come since it was closed. */
  reached(): Promise<void> {
    return this.#arrival;
  }
}
