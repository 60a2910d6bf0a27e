import type { ByteString } from './key-encoding.js';

/** Entries between two keys: `start` inclusive, `end` exclusive; in reverse both are inclusive and `start` is above. */
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
export interface Table<V = string> {
  readonly name: string;
  /** @param isPassing part of a long walk: it shall not push what is read often out of memory */
  get(key: ByteString, isPassing?: boolean): V | undefined;
  /** To be consumed at once, without awaiting between entries. */
  entries(range: KeyRange): Iterable<Entry<V>>;
  /** As {@link entries}, and reads no value. */
  keys(range: KeyRange): Iterable<ByteString>;
}

/** New values by key: null removes the key. */
export type TableChanges<V = unknown> = ReadonlyMap<ByteString, V | null>;

/** The writes of one commit. */
export type Changes = ReadonlyMap<Table<unknown>, TableChanges>;

/** How the values of a table are written to the file. What is read is shared, hence nobody may change it. */
export interface ValueFormat<V> {
  encode(value: V): string;
  decode(text: string): V;
  /** How many characters of values are kept in memory, those used lately, so that they are not decoded again. */
  readonly keptCharacters: number;
  /** Short ranges are kept in memory as well, until a key changes that has so many bytes in common with theirs. */
  readonly keptRangesPrefix?: number;
}
