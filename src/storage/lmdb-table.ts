import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Entry, KeyRange, Table, TableChanges, ValueFormat } from './table.js';

/** Entries of the longest range that is cached. */
const LONGEST_CACHED_RANGE = 64;
/** Number of cached entries and ranges together. */
const CACHE_SIZE = 50_000;

interface CachedRange {
  readonly entries: readonly Entry<unknown>[];
  /** The number of changes under the range's prefix when it was read. */
  readonly changes: number;
}

/**
 * Caches short ranges of a table until a key with their prefix changes. So requests do not read indexes that seldom
 * change (locations, locks, entry points).
 */
export class RecentRanges<V> {
  readonly #cached = new LRUCache<string, CachedRange>({ maxSize: CACHE_SIZE });
  /** Number of changes by prefix. There are as many prefixes as indexes. */
  readonly #changes = new Map<ByteString, number>();

  /** @param prefixLength bytes that the two ends of a cached range have in common */
  constructor(private readonly prefixLength: number) {}

  get(range: KeyRange): readonly Entry<V>[] | undefined {
    const cached = this.#cached.get(nameOf(range));
    if (cached?.changes !== this.#changesOf(range.start)) return undefined;
    return cached.entries as readonly Entry<V>[];
  }

  /** @param entries all present entries of the range */
  keep(range: KeyRange, entries: readonly Entry<V>[]): void {
    const { start, end } = range;
    const { prefixLength } = this;
    if (entries.length > LONGEST_CACHED_RANGE) return;
    if (start.slice(0, prefixLength) !== end.slice(0, prefixLength)) return;
    const cached = { entries, changes: this.#changesOf(start) };
    this.#cached.set(nameOf(range), cached, { size: entries.length + 1 });
  }

  /** Must be called after a key was written or removed. */
  changed(key: ByteString): void {
    const prefix = key.slice(0, this.prefixLength);
    this.#changes.set(prefix, (this.#changes.get(prefix) ?? 0) + 1);
  }

  #changesOf(key: ByteString): number {
    return this.#changes.get(key.slice(0, this.prefixLength)) ?? 0;
  }
}

/** The length makes the name unique, because keys may contain any byte. */
function nameOf({ start, end, reverse = false, limit }: KeyRange): string {
  return `${start.length} ${start}${end} ${reverse} ${limit}`;
}

/** Pages of this size allow keys of 4,026 bytes; lmdb's default allows 1,978. */
export const pageBytes = 8_192;

interface Prepared<V> {
  readonly key: ByteString;
  /** null removes the key. */
  readonly value: V | null;
  readonly text: string | null;
}

/** A table of the file: the keys that begin with its byte. Reads see the last commit. */
export class LmdbTable<V = string> implements Table<V> {
  private readonly recent: LRUCache<ByteString, object | string> | undefined;
  private readonly ranges: RecentRanges<V> | undefined;
  /** Writes of the commit in flight. */
  private prepared: Prepared<V>[] = [];

  /** @param prefix one byte */
  constructor(
    readonly name: string,
    private readonly prefix: ByteString,
    private readonly database: Database<string, string>,
    private readonly environment: { readonly isOpen: boolean; readonly isShared: boolean },
    private readonly format: ValueFormat<V>,
  ) {
    // A cache would not see the writes of another process.
    if (environment.isShared) return;
    const { cachedCharacters, cachedRangesPrefix } = format;
    if (cachedCharacters > 0) this.recent = new LRUCache({ maxSize: cachedCharacters });
    if (cachedRangesPrefix !== undefined) this.ranges = new RecentRanges(cachedRangesPrefix);
  }

  get(key: ByteString, bypassCache = false): V | undefined {
    if (!this.environment.isOpen) throw closedError();
    const recent = this.recent?.get(key);
    if (recent !== undefined) return recent as V;
    let text: string | undefined;
    try {
      text = this.database.get(this.prefix + key);
    } catch (error) {
      throw this.readFailure(error);
    }
    if (text === undefined) return undefined;
    const value = this.format.decode(text);
    if (!bypassCache) this.recent?.set(key, value as object | string, { size: text.length });
    return value;
  }

  *entries(range: KeyRange): Generator<Entry<V>> {
    if (!this.environment.isOpen) throw closedError();
    const known = this.ranges?.get(range);
    if (known !== undefined) return yield* known;
    const seen: Entry<V>[] = [];
    for (const { key, value } of this.read(() => this.database.getRange(this.optionsOf(range)))) {
      const entry = { key: key.slice(1), value: this.format.decode(value) };
      // One entry more than is cached shows that the range is too long.
      if (this.ranges !== undefined && seen.length <= LONGEST_CACHED_RANGE) seen.push(entry);
      yield entry;
    }
    // A caller that stops early does not get here, so an incomplete range is never cached.
    this.ranges?.keep(range, seen);
  }

  keys(range: KeyRange): Generator<ByteString> {
    return this.read(() => this.database.getKeys(this.optionsOf(range)).map((key) => key.slice(1)));
  }

  /**
   * Encodes the changes of the next commit.
   * @returns an upper estimate of the bytes that the commit adds to the file
   */
  prepare(changes: TableChanges<V>): number {
    let bytes = 0;
    this.prepared = [];
    for (const [key, value] of changes) {
      const text = value === null ? null : this.format.encode(value);
      bytes += pageBytes + (text?.length ?? 0) * 2;
      this.prepared.push({ key, value, text });
    }
    return bytes;
  }

  /** Writes one key at once, without the cache. Only for use inside a commit. */
  put(key: ByteString, text: string): void {
    void this.database.put(this.prefix + key, text);
  }

  /** Writes the prepared changes. Only for use inside a commit. */
  write(): void {
    const { database, prefix } = this;
    for (const { key, text } of this.prepared) {
      // The commit itself waits for these promises.
      void (text === null ? database.remove(prefix + key) : database.put(prefix + key, text));
    }
  }

  /** Brings the caches up to date after the commit. */
  settle(isCommitted: boolean): void {
    const { prepared, recent, ranges } = this;
    this.prepared = [];
    if (ranges !== undefined) for (const { key } of prepared) ranges.changed(key);
    if (recent === undefined) return;
    // After a failed commit the stored values are unknown.
    if (!isCommitted) return recent.clear();
    for (const { key, value, text } of prepared) {
      if (text === null) recent.delete(key);
      else recent.set(key, value as object | string, { size: text.length });
    }
  }

  private optionsOf(range: KeyRange) {
    const { prefix } = this;
    const reverse = range.reverse === true;
    return { ...range, start: prefix + range.start, end: prefix + range.end, inclusiveEnd: reverse };
  }

  private *read<T>(open: () => Iterable<T>): Generator<T> {
    if (!this.environment.isOpen) throw closedError();
    try {
      yield* open();
    } catch (error) {
      throw this.readFailure(error);
    }
  }

  private readFailure(cause: unknown): StoreUnavailableError {
    return new StoreUnavailableError(`Reading ${this.name} failed.`, false, { cause });
  }
}

function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('The embedded store is closed.', false);
}
