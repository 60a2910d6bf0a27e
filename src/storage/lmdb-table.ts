import type { Database } from 'lmdb';
import type { ByteString } from './key-encoding.js';
import { LONGEST_KEPT_RANGE, RecentRanges } from './recent-ranges.js';
import { RecentValues } from './recent-values.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Entry, KeyRange, Table, TableChanges, ValueFormat } from './table.js';

/** Keys may take up to 4,026 bytes with pages of this size, against 1,978. */
export const pageBytes = 8_192;

interface Prepared<V> {
  readonly key: ByteString;
  /** null where it is removed. */
  readonly value: V | null;
  readonly text: string | null;
}

/** A table of the file. Reads see the last commit. */
export class LmdbTable<V = string> implements Table<V> {
  private readonly recent: RecentValues<V> | undefined;
  private readonly ranges: RecentRanges<V> | undefined;
  /** What the commit in flight writes. */
  private prepared: Prepared<V>[] = [];

  constructor(
    readonly name: string,
    private readonly database: Database<string, string>,
    private readonly environment: { readonly isOpen: boolean; readonly isShared: boolean },
    private readonly format: ValueFormat<V>,
  ) {
    // What another process writes would not be seen.
    if (environment.isShared) return;
    const { keptCharacters, keptRangesPrefix } = format;
    if (keptCharacters > 0) this.recent = new RecentValues(keptCharacters);
    if (keptRangesPrefix !== undefined) this.ranges = new RecentRanges(keptRangesPrefix);
  }

  get(key: ByteString): V | undefined {
    this.demandOpen();
    const recent = this.recent?.get(key);
    if (recent !== undefined) return recent;
    const text = this.textOf(key);
    if (text === undefined) return undefined;
    const value = this.format.decode(text);
    this.recent?.set(key, value, text.length);
    return value;
  }

  *entries(range: KeyRange): Generator<Entry<V>> {
    this.demandOpen();
    const known = this.ranges?.get(range);
    if (known !== undefined) return yield* known;
    const seen: Entry<V>[] = [];
    for (const { key, value } of this.read(() => this.database.getRange(optionsOf(range)))) {
      const entry = { key, value: this.format.decode(value) };
      // One more than is kept tells that the range is too long; a scan of millions is not held in memory.
      if (this.ranges !== undefined && seen.length <= LONGEST_KEPT_RANGE) seen.push(entry);
      yield entry;
    }
    // Only here have all been asked for.
    this.ranges?.keep(range, seen);
  }

  keys(range: KeyRange): Generator<ByteString> {
    return this.read(() => this.database.getKeys(optionsOf(range)));
  }

  /**
   * Encodes what the next commit is to write.
   * @returns how many bytes that adds to the file at the most, roughly: a page for each key, and the texts
   */
  prepare(changes: TableChanges<V>): number {
    let bytes = 0;
    this.prepared = Array.from(changes, ([key, value]) => {
      const text = value === null ? null : this.format.encode(value);
      bytes += pageBytes + (text?.length ?? 0) * 2;
      return { key, value, text };
    });
    return bytes;
  }

  /** Hands to lmdb what was prepared; only for use inside a commit. */
  write(): void {
    for (const { key, text } of this.prepared) this.change(key, text);
  }

  /** Hands a change to lmdb, past what is kept in memory. */
  change(key: ByteString, text: string | null): void {
    // The promise is that of the whole batch.
    void (text === null ? this.database.remove(key) : this.database.put(key, text));
  }

  /** Told what became of what was prepared. */
  settle(isCommitted: boolean): void {
    const { prepared, recent, ranges } = this;
    this.prepared = [];
    if (ranges !== undefined) for (const { key } of prepared) ranges.changed(key);
    // Whether the former values still stand is not known.
    if (!isCommitted) recent?.clear();
    else for (const { key, value, text } of prepared) recent?.change(key, value, text?.length ?? 0);
  }

  private textOf(key: ByteString): string | undefined {
    try {
      return this.database.get(key);
    } catch (error) {
      throw this.readFailure(error);
    }
  }

  private *read<T>(open: () => Iterable<T>): Generator<T> {
    this.demandOpen();
    try {
      yield* open();
    } catch (error) {
      throw this.readFailure(error);
    }
  }

  private readFailure(cause: unknown): StoreUnavailableError {
    return new StoreUnavailableError(`Reading ${this.name} failed.`, false, { cause });
  }

  private demandOpen(): void {
    if (!this.environment.isOpen) throw new StoreUnavailableError('The embedded store is closed.', false);
  }
}

function optionsOf(range: KeyRange) {
  return { ...range, inclusiveEnd: range.reverse === true };
}
