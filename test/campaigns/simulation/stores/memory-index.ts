import { decodeCursor, encodeCursor } from '#kernel/cursor.js';
import {
  type CollectionDeclaration,
  type FindOptions,
  type IndexDeclaration,
  type IndexValue,
  type DocumentPage,
  type StoredDocument,
  isIndexValue,
} from '#eventsourcing/documents/document-store.js';

export type Stored = StoredDocument & { readonly [field: string]: unknown };

interface Entry {
  readonly values: readonly IndexValue[];
  readonly document: Stored;
}

const LONGEST_ID = 1_200;

/** @throws TypeError for an `_id` that the port does not allow. */
export function demandSoundId(id: string): void {
  const sound = typeof id === 'string' && id !== '' && Buffer.byteLength(id) <= LONGEST_ID;
  if (!sound) throw new TypeError('A document needs an _id of 1 to 1,200 UTF-8 bytes.');
}

/** @throws TypeError where an indexed field holds what no index takes. */
export function demandIndexable(declaration: CollectionDeclaration, document: Stored): void {
  for (const { fields } of Object.values(declaration.indexes)) {
    for (const field of fields) {
      const value = document[field] ?? null;
      const sound = Array.isArray(value) ? value.every(isIndexValue) : isIndexValue(value);
      if (!sound) throw new TypeError(`Field ${field} of ${declaration.name} holds no index value.`);
    }
  }
}

/** The document's keys in an index as texts; none in a sparse or unique index where a field is null or absent. */
export function keysOf(index: IndexDeclaration, document: Stored): string[] {
  return entriesOf(index, document).map(({ values }) => JSON.stringify(values));
}

export function matchesAny(
  index: IndexDeclaration,
  document: Stored,
  values: readonly IndexValue[],
): boolean {
  return entriesOf(index, document).some((entry) => values.includes(entry.values[0] ?? null));
}

/** A page of documents in index order, ties by `_id`. @param scope names collection and index in cursors. */
export function findPage(
  scope: string,
  index: IndexDeclaration,
  documents: readonly Stored[],
  options: FindOptions,
): DocumentPage<Stored> {
  const { equals, from, to, descending = false, cursor, limit } = options;
  const inBounds = ({ values }: Entry): boolean => {
    if (equals.some((value, place) => values[place] !== value)) return false;
    if (from === undefined && to === undefined) return true;
    const value = values[equals.length] ?? null;
    if (value === null) return false;
    if (from !== undefined && compareValues(value, from) < 0) return false;
    return to === undefined || compareValues(value, to) <= 0;
  };
  const candidates = documents.filter((document) =>
    equals.every((value, place) => holds(document, index, place, value)),
  );
  const entries = candidates.flatMap((document) => entriesOf(index, document)).filter(inBounds);
  entries.sort(descending ? (one, other) => compareEntries(other, one) : compareEntries);
  const after = cursor === undefined ? undefined : fromCursor(scope, cursor);
  const firsts = firstOfEach(entries);
  const rest =
    after === undefined
      ? firsts
      : firsts.filter((entry) => (descending ? -1 : 1) * compareEntries(entry, after) > 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    documents: page.map(({ document }) => document),
    next_cursor:
      rest.length > limit && last !== undefined
        ? encodeCursor([last.values, last.document._id], scope)
        : null,
  };
}

/** A document with an array has several entries and is found by the first. */
function firstOfEach(entries: readonly Entry[]): Entry[] {
  const found = new Set<string>();
  return entries.filter(({ document: { _id } }) => !found.has(_id) && found.add(_id));
}

/** Whether any of a document's entries may have a value at a place; spares making the entries of most documents. */
function holds(document: Stored, { fields }: IndexDeclaration, place: number, value: IndexValue): boolean {
  const held = document[fields[place]!] ?? null;
  return Array.isArray(held) ? held.includes(value) : held === value;
}

function entriesOf(index: IndexDeclaration, document: Stored): Entry[] {
  let rows: IndexValue[][] = [[]];
  for (const field of index.fields) {
    const value = (document[field] ?? null) as IndexValue | IndexValue[];
    if (value === null && (index.sparse || index.unique)) return [];
    const choices = Array.isArray(value) ? [...new Set(value)] : [value];
    rows = rows.flatMap((row) => choices.map((choice) => [...row, choice]));
  }
  return rows.map((values) => ({ values, document }));
}

function compareEntries(one: Entry, other: Entry): number {
  for (let place = 0; place < one.values.length; place += 1) {
    const order = compareValues(one.values[place]!, other.values[place]!);
    if (order !== 0) return order;
  }
  return compareText(one.document._id, other.document._id);
}

/** null first, then numbers, then strings by their UTF-8 bytes. */
function compareValues(one: IndexValue, other: IndexValue): number {
  const kind = rank(one) - rank(other);
  if (kind !== 0 || one === null || other === null) return kind;
  return typeof one === 'number' ? one - Number(other) : compareText(one, String(other));
}

function rank(value: IndexValue): number {
  return value === null ? 0 : typeof value === 'number' ? 1 : 2;
}

/** The order of UTF-8 bytes, which is that of code points: surrogates stand for what comes after U+FFFF. */
function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let place = 0; place < length; place += 1) {
    const [left, right] = [one.charCodeAt(place), other.charCodeAt(place)];
    if (left !== right) return codeOrder(left) - codeOrder(right);
  }
  return one.length - other.length;
}

function codeOrder(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function fromCursor(scope: string, cursor: string): Entry {
  const [values, _id] = decodeCursor(cursor, scope) as [IndexValue[], string];
  return { values, document: { _id } };
}
