import type { Database } from 'lmdb';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { RecentValues } from './recent-values.js';
import type { Entry, KeyRange, StoreTable, TableChanges, ValueFormat } from './table.js';

/** Pages of this size allow keys of 4,026 bytes; lmdb's default allows 1,978. */
export const pageBytes = 8_192;

interface PendingEntry<V> {
  readonly key: ByteString;
  /** null removes the key. */
  readonly value: V | null;
  readonly text: string | null;
}

/** A table of the file: the keys that begin with its byte. Reads see the last commit. */
export class LmdbTable<V = string> implements StoreTable<V> {
  readonly #recent: RecentValues | undefined;
  /** Writes of the commit in flight. */
  #prepared: PendingEntry<V>[] = [];

  /** @param prefix one byte */
  constructor(
    readonly name: string,
    private readonly prefix: ByteString,
    private readonly database: Database<string, string>,
    private readonly environment: { readonly isOpen: boolean; readonly isShared: boolean },
    private readonly format: ValueFormat<V>,
  ) {
    // A cache would not see the writes of another process.
    if (!environment.isShared && format.cache !== null) this.#recent = new RecentValues(format.cache);
  }

  get(key: ByteString, bypassCache = false): V | undefined {
    if (!this.environment.isOpen) throw closedError();
    const recent = this.#recent?.get(key);
    if (recent !== undefined) return recent as V;
    let text: string | undefined;
    try {
      text = this.database.get(this.prefix + key);
    } catch (error) {
      throw this.#readFailure(error);
    }
    if (text === undefined) return undefined;
    const value = this.format.decode(text);
    if (bypassCache || this.#recent === undefined) return value;
    this.format.share?.(value);
    this.#recent.set(key, value as object | string, text.length);
    return value;
  }

  *entries(range: KeyRange): Generator<Entry<V>> {
    if (!this.environment.isOpen) throw closedError();
    for (const { key, value } of this.#read(() => this.database.getRange(this.#optionsOf(range))))
      yield { key: key.slice(1), value: this.format.decode(value) };
  }

  keys(range: KeyRange): Generator<ByteString> {
    return this.#read(() => this.database.getKeys(this.#optionsOf(range)).map((key) => key.slice(1)));
  }

  /**
   * Encodes the changes of the next commit.
   * @returns an upper estimate of the bytes that the commit adds to the file
   */
  prepare(changes: TableChanges<V>): number {
    let bytes = 0;
    this.#prepared = [];
    for (const [key, value] of changes) {
      const text = value === null ? null : this.format.encode(value);
      bytes += pageBytes + (text?.length ?? 0) * 2;
      this.#prepared.push({ key, value, text });
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
    for (const { key, text } of this.#prepared) {
      // The commit itself waits for these promises.
      void (text === null ? database.remove(prefix + key) : database.put(prefix + key, text));
    }
  }

  /** Brings the cache up to date after the commit. */
  settle(isCommitted: boolean): void {
    const prepared = this.#prepared;
    const recent = this.#recent;
    this.#prepared = [];
    if (recent === undefined) return;
    // After a failed commit the stored values are unknown.
    if (!isCommitted) return recent.clear();
    for (const { key, value, text } of prepared) {
      if (text === null) recent.delete(key);
      else recent.set(key, value as object | string, text.length);
    }
  }

  #optionsOf(range: KeyRange) {
    const { prefix } = this;
    const reverse = range.reverse === true;
    return { ...range, start: prefix + range.start, end: prefix + range.end, inclusiveEnd: reverse };
  }

  *#read<T>(open: () => Iterable<T>): Generator<T> {
    if (!this.environment.isOpen) throw closedError();
    try {
      yield* open();
    } catch (error) {
      throw this.#readFailure(error);
    }
  }

  #readFailure(cause: unknown): StoreUnavailableError {
    return new StoreUnavailableError(`Reading ${this.name} failed.`, false, { cause });
  }
}

function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('The embedded store is closed.', false);
}
