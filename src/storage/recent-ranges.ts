import type { ByteString } from './key-encoding.js';
import type { Entry, KeyRange } from './table.js';

/** Entries; longer ranges are not kept. */
export const LONGEST_KEPT_RANGE = 64;
/** Entries and ranges together; then all is forgotten. */
const MOST_KEPT = 50_000;

/**
 * What short ranges of a sorted table held when they were last read, until a key with their prefix changes. An index of
 * what hardly ever changes (locations, locks, entry points) is then read once and not at each request.
 */
export class RecentRanges<V> {
  readonly #byPrefix = new Map<ByteString, Map<string, readonly Entry<V>[]>>();
  #kept = 0;

  /** @param prefixLength how many bytes of its keys a range must have in common to be kept */
  constructor(private readonly prefixLength: number) {}

  get(range: KeyRange): readonly Entry<V>[] | undefined {
    return this.#byPrefix.get(this.#prefixOf(range.start))?.get(nameOf(range));
  }

  /** @param entries all that the range holds now */
  keep(range: KeyRange, entries: readonly Entry<V>[]): void {
    const prefix = this.#prefixOf(range.start);
    if (entries.length > LONGEST_KEPT_RANGE || prefix !== this.#prefixOf(range.end)) return;
    this.#kept += entries.length + 1;
    if (this.#kept > MOST_KEPT) this.clear();
    let ranges = this.#byPrefix.get(prefix);
    if (ranges === undefined) {
      ranges = new Map();
      this.#byPrefix.set(prefix, ranges);
    }
    ranges.set(nameOf(range), entries);
  }

  /** The key was written or removed. */
  changed(key: ByteString): void {
    this.#byPrefix.delete(this.#prefixOf(key));
  }

  clear(): void {
    this.#byPrefix.clear();
    this.#kept = 0;
  }

  #prefixOf(key: ByteString): ByteString {
    return key.slice(0, this.prefixLength);
  }
}

/** Keys may hold any byte, hence the length before them. */
function nameOf({ start, end, reverse = false, limit }: KeyRange): string {
  return `${start.length} ${start}${end} ${reverse} ${limit}`;
}
