import { LRUCache } from 'lru-cache';
import type { ByteString } from './key-encoding.js';
import type { Entry, KeyRange } from './table.js';

/** Entries; longer ranges are not kept. */
export const LONGEST_KEPT_RANGE = 64;
/** Entries and ranges together. */
const MOST_KEPT = 50_000;

interface Kept {
  readonly entries: readonly Entry<unknown>[];
  /** How often keys of the range's prefix had changed. */
  readonly changes: number;
}

/**
 * What short ranges of a sorted table held when they were last read, until a key with their prefix changes. An index of
 * what hardly ever changes (locations, locks, entry points) is then read once and not at each request.
 */
export class RecentRanges<V> {
  readonly #kept = new LRUCache<string, Kept>({ maxSize: MOST_KEPT });
  /** By prefix, of which there are as many as indexes. */
  readonly #changes = new Map<ByteString, number>();

  /** @param prefixLength how many bytes of its keys a range must have in common to be kept */
  constructor(private readonly prefixLength: number) {}

  get(range: KeyRange): readonly Entry<V>[] | undefined {
    const kept = this.#kept.get(nameOf(range));
    return kept?.changes === this.#changesOf(range.start) ? (kept.entries as readonly Entry<V>[]) : undefined;
  }

  /** @param entries all that the range holds now */
  keep(range: KeyRange, entries: readonly Entry<V>[]): void {
    const { start, end } = range;
    const { prefixLength } = this;
    if (entries.length > LONGEST_KEPT_RANGE) return;
    if (start.slice(0, prefixLength) !== end.slice(0, prefixLength)) return;
    const kept = { entries, changes: this.#changesOf(start) };
    this.#kept.set(nameOf(range), kept, { size: entries.length + 1 });
  }

  /** The key was written or removed. */
  changed(key: ByteString): void {
    const prefix = key.slice(0, this.prefixLength);
    this.#changes.set(prefix, (this.#changes.get(prefix) ?? 0) + 1);
  }

  #changesOf(key: ByteString): number {
    return this.#changes.get(key.slice(0, this.prefixLength)) ?? 0;
  }
}

/** Keys may hold any byte, hence the length before them. */
function nameOf({ start, end, reverse = false, limit }: KeyRange): string {
  return `${start.length} ${start}${end} ${reverse} ${limit}`;
}
