const MOST_NAMED = 10_000;

/**
 * The streams of which this process does not know how its last write to them has ended, or whose views it could not
 * bring up to it: what it answers of them must be looked up in the log. Too many to name are all streams.
 */
export class UnsettledStreams {
  readonly #streams = new Set<string>();
  #all = false;

  add(streams: readonly string[]): void {
    for (const stream of streams) this.#streams.add(stream);
    if (this.#streams.size <= MOST_NAMED) return;
    this.#all = true;
    this.#streams.clear();
  }

  has(stream: string): boolean {
    return this.#all || this.#streams.has(stream);
  }

  /** The views show what the log holds of them. */
  settle(streams: readonly string[]): void {
    if (this.#streams.size > 0) for (const stream of streams) this.#streams.delete(stream);
  }
}
