import type { ByteString } from './key-encoding.js';
import type { CacheSizes } from './recent-values.js';

/** `start` is inclusive, `end` exclusive. In reverse, `start` is the upper key and both are inclusive. */
export interface KeyRange {
  readonly start: ByteString;
  readonly end: ByteString;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export interface Entry<V = string> {
  readonly key: ByteString;
  readonly value: V;
}

/** A sorted table. @throws StoreUnavailableError from every method */
export interface StoreTable<V = string> {
  readonly name: string;
  /** @param bypassCache true for a scan: its values must not push others out of the cache */
  get(key: ByteString, bypassCache?: boolean): V | undefined;
  /** The caller must read all entries without an `await`. */
  entries(range: KeyRange): Iterable<Entry<V>>;
  /** Like {@link entries}, without the values. */
  keys(range: KeyRange): Iterable<ByteString>;
}

/** New values by key: null removes the key. */
export type TableChanges<V = unknown> = ReadonlyMap<ByteString, V | null>;

/** The writes of one commit. */
export type StoreChanges = ReadonlyMap<StoreTable<unknown>, TableChanges>;

/** How the values of a table are stored and cached. Nobody may change a value. */
export interface ValueFormat<V> {
  encode(value: V): string;
  decode(text: string): V;
  /** Called before a decoded value joins the cache, where readers share it. */
  share?(value: V): void;
  /** The cache of decoded values. Null: none. */
  readonly cache: CacheSizes | null;
}
