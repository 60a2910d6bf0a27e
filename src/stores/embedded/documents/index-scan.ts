import { decodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import type { FindOptions } from '#eventsourcing/documents/document-store.js';
import type { KeyRange } from '../database/table.js';
import {
  afterAll,
  afterNull,
  type ByteString,
  cutBound,
  fittingKey,
  indexValueBytes,
  maximumKeyBytes,
  utf8Bytes,
} from '../database/key-encoding.js';
import {
  type CollectionState,
  type IndexState,
  type StoredJson,
  wholeIndexKeys,
} from './collection-state.js';

/** The part of an index that a find reads: keys from `lower` to below `upper`. */
export interface IndexBounds {
  readonly lower: ByteString;
  readonly upper: ByteString;
}

/** @throws TypeError if the find names more fields than the index has */
export function boundsOf(index: IndexState, { equals, from, to }: FindOptions): IndexBounds {
  const isBounded = from !== undefined || to !== undefined;
  if (equals.length + (isBounded ? 1 : 0) > index.fields.length) {
    throw new TypeError(`Index ${index.name} has no field left for what the find asks.`);
  }
  const prefix = index.prefix + equals.map((value) => indexValueBytes(value)).join('');
  const lower = isBounded
    ? prefix + (from === undefined || from === null ? afterNull : indexValueBytes(from))
    : prefix;
  const upper = to === undefined ? prefix + afterAll : prefix + indexValueBytes(to) + afterAll;
  return { lower, upper };
}

/** The keys of a scan, cut for lmdb. */
export function rangeOf(bounds: IndexBounds, after: ByteString | undefined, descending: boolean): KeyRange {
  const lower = cutBound(bounds.lower);
  const upper = bounds.upper.length > maximumKeyBytes ? cutBound(bounds.upper) + afterAll : bounds.upper;
  if (descending) return { start: after ?? upper, end: lower, reverse: true };
  return { start: after ?? lower, end: upper };
}

/**
 * True if a scan meets the document at this key for the first time: a document with an array has several entries. Also
 * compares the whole keys with the bounds, because a bound that was cut for lmdb admits too many keys.
 */
export function isFirstEntry(
  index: IndexState,
  document: StoredJson,
  entry: { key: ByteString; bounds: IndexBounds; descending?: boolean | undefined },
): boolean {
  const { key, bounds, descending } = entry;
  const hasOneEntry =
    bounds.upper.length <= maximumKeyBytes && !index.fields.some((field) => Array.isArray(document[field]));
  if (hasOneEntry) return true;
  const within = wholeIndexKeys(index, document, utf8Bytes(document._id))
    .filter((whole) => whole >= bounds.lower && whole < bounds.upper)
    .map((whole) => fittingKey(whole))
    .sort();
  return (descending === true ? within.at(-1) : within[0]) === key;
}

/** The key where a page ended. @throws InvalidCursorError */
export function cursorKey(
  state: CollectionState,
  index: IndexState,
  { lower, upper }: IndexBounds,
  cursor: string,
): ByteString {
  const end = decodeCursor(cursor, [state.name, index.name]);
  if (typeof end !== 'string') throw new InvalidCursorError();
  const key = index.prefix + end;
  // A cursor of a find with other bounds would skip or repeat documents.
  if (key < fittingKey(lower) || key >= fittingKey(upper)) throw new InvalidCursorError();
  return key;
}
