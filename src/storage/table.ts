import type { ByteString } from './key-encoding.js';

/** Entries between two keys: `start` inclusive, `end` exclusive; in reverse both are inclusive and `start` is above. */
export interface KeyRange {
  readonly start: ByteString;
  readonly end: ByteString;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export interface Entry {
  readonly key: ByteString;
  readonly value: string;
}

/** A sorted table of texts. @throws StoreUnavailableError from every method */
export interface Table {
  readonly name: string;
  get(key: ByteString): string | undefined;
  /** To be consumed at once, without awaiting between entries. */
  entries(range: KeyRange): Iterable<Entry>;
}

/** New values by key: null removes the key. */
export type TableChanges = ReadonlyMap<ByteString, string | null>;

/** What is committed as one. */
export type Changes = ReadonlyMap<Table, TableChanges>;
