import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Entry, KeyRange, Table, TableChanges, ValueFormat } from './table.js';

/** Entries; longer ranges are not kept. */
const LONGEST_KEPT_RANGE = 64;
/** Entries and ranges together. */
const MOST_KEPT = 50_000;

interface Kept {
  readonly entries: readonly Entry<unknown>[];
  /** How often keys of the range's prefix had changed. */
  readonly changes: number;
}

/**
 * Caches short ranges of a sorted table until a key with their prefix changes. So an index that hardly changes
 * (locations, locks, entry points) is not read at each request.
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

/** Keys may take up to 4,026 bytes with pages of this size, against 1,978. */
export const pageBytes = 8_192;

interface Prepared<V> {
  readonly key: ByteString;
  /** null where it is removed. */
  readonly value: V | null;
  readonly text: string | null;
}

interface TableParts<V> {
  readonly name: string;
  /** One byte. */
  readonly prefix: ByteString;
  readonly database: Database<string, string>;
  readonly environment: { readonly isOpen: boolean; readonly isShared: boolean };
  readonly format: ValueFormat<V>;
}

/** A table of the file: the keys that begin with its byte. Reads see the last commit. */
export class LmdbTable<V = string> implements Table<V> {
  readonly name: string;
  private readonly prefix: ByteString;
  private readonly database: Database<string, string>;
  private readonly environment: TableParts<V>['environment'];
  private readonly format: ValueFormat<V>;
  private readonly recent: LRUCache<ByteString, object | string> | undefined;
  private readonly ranges: RecentRanges<V> | undefined;
  /** Writes of the commit in flight. */
  private prepared: Prepared<V>[] = [];

  constructor({ name, prefix, database, environment, format }: TableParts<V>) {
    this.name = name;
    this.prefix = prefix;
    this.database = database;
    this.environment = environment;
    this.format = format;
    // Writes of another process would not be seen.
    if (environment.isShared) return;
    const { keptCharacters, keptRangesPrefix } = format;
    if (keptCharacters > 0) this.recent = new LRUCache({ maxSize: keptCharacters });
    if (keptRangesPrefix !== undefined) this.ranges = new RecentRanges(keptRangesPrefix);
  }

  get(key: ByteString, isPassing = false): V | undefined {
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
    if (!isPassing) this.recent?.set(key, value as object | string, { size: text.length });
    return value;
  }

  *entries(range: KeyRange): Generator<Entry<V>> {
    if (!this.environment.isOpen) throw closedError();
    const known = this.ranges?.get(range);
    if (known !== undefined) return yield* known;
    const seen: Entry<V>[] = [];
    for (const { key, value } of this.read(() => this.database.getRange(this.optionsOf(range)))) {
      const entry = { key: key.slice(1), value: this.format.decode(value) };
      // One more than is kept tells that the range is too long; a scan of millions is not held in memory.
      if (this.ranges !== undefined && seen.length <= LONGEST_KEPT_RANGE) seen.push(entry);
      yield entry;
    }
    // Only here have all been asked for.
    this.ranges?.keep(range, seen);
  }

  keys(range: KeyRange): Generator<ByteString> {
    return this.read(() => this.database.getKeys(this.optionsOf(range)).map((key) => key.slice(1)));
  }

  /**
   * Encodes what the next commit is to write.
   * @returns how many bytes that adds to the file at the most, roughly: a page for each key, and the texts
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

  /** Writes past what is kept in memory; only for use inside a commit. */
  put(key: ByteString, text: string): void {
    void this.database.put(this.prefix + key, text);
  }

  /** Hands to lmdb what was prepared; only for use inside a commit. */
  write(): void {
    const { database, prefix } = this;
    for (const { key, text } of this.prepared) {
      // The promise is that of the whole batch.
      void (text === null ? database.remove(prefix + key) : database.put(prefix + key, text));
    }
  }

  /** Told what became of what was prepared. */
  settle(isCommitted: boolean): void {
    const { prepared, recent, ranges } = this;
    this.prepared = [];
    if (ranges !== undefined) for (const { key } of prepared) ranges.changed(key);
    if (recent === undefined) return;
    // Whether the former values still stand is not known.
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
