import type { RecordedEvent } from '../event-store.js';

/** What is kept at most: a few bulks of 500 units. */
const MOST_EVENTS = 4_096;
const MOST_CHARACTERS = 4_194_304;

/** An event that was stored, and how long its text is. */
export interface StoredText {
  readonly event: RecordedEvent;
  readonly characters: number;
}

/**
 * The newest committed events, so that whoever follows the log need not read and parse what this process has written a
 * moment ago. It knows beyond which position it holds all of them, and answers nothing about what lies before.
 */
export class RecentEvents {
  #stored: StoredText[] = [];
  #characters = 0;

  /** @param after all events beyond this position will be added */
  constructor(private after: number) {}

  /** In the order of their positions, once they are committed. */
  add(stored: readonly StoredText[]): void {
    for (const one of stored) {
      this.#stored.push(one);
      this.#characters += one.characters;
    }
    if (this.#stored.length > MOST_EVENTS || this.#characters > MOST_CHARACTERS) this.#shrink();
  }

  /** Something up to `position` may have been stored without being added. */
  forgetTo(position: number): void {
    this.after = position;
    this.#stored = [];
    this.#characters = 0;
  }

  /** The first events beyond a position; undefined where not all of them are known here. */
  readAfter(position: number, limit: number): RecordedEvent[] | undefined {
    if (position < this.after) return undefined;
    const first = this.#placeAfter(position);
    return this.#stored.slice(first, first + limit).map(({ event }) => event);
  }

  #placeAfter(position: number): number {
    let low = 0;
    let high = this.#stored.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Number(this.#stored[middle]!.event.position) <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets the older half. */
  #shrink(): void {
    const dropped = this.#stored.splice(0, Math.ceil(this.#stored.length / 2));
    for (const { characters } of dropped) this.#characters -= characters;
    this.after = Number(dropped.at(-1)!.event.position);
  }
}
