import {
  type CollectionDeclaration,
  type IndexDeclaration,
  type IndexValue,
  type StoredDocument,
  isIndexValue,
} from '../document-store.js';
import {
  type ByteString,
  fittingKey,
  indexValueBytes,
  integerBytes,
  numberBytes,
} from '../../storage/key-encoding.js';

/*
 * Storage format: add, never change.
 *
 *   collections  name                                     → JSON CollectionRecord
 *   documents    collection number, id                    → JSON document
 *   indexes      collection number, index number, values, id   → id      (no id in the key of a unique index)
 *   expiry       instant, collection number, id           → "1"
 *   garbage      prefix of keys to remove from indexes    → "1"
 *   leases       name                                     → JSON LeaseRecord
 *   meta         next_collection                          → the next free collection number
 *   fences       "writer"                                 → how often the file was opened for writing, as its version
 */

export interface IndexRecord {
  readonly number: number;
  readonly fields: readonly string[];
  readonly unique: boolean;
  /** false while the documents that were there before it are being indexed. */
  readonly ready: boolean;
}

export interface CollectionRecord {
  readonly number: number;
  readonly next_index: number;
  readonly expiry: string | null;
  readonly indexes: Readonly<Record<string, IndexRecord>>;
}

export interface IndexState extends IndexRecord {
  readonly name: string;
  readonly prefix: ByteString;
}

export type StoredJson = StoredDocument & Readonly<Record<string, unknown>>;

const maximumIdBytes = 1_200;

/** A collection as its record says, with the keys of its documents and of their index entries. */
export class CollectionState {
  readonly prefix: ByteString;
  readonly indexes: readonly IndexState[];

  constructor(
    readonly name: string,
    readonly record: CollectionRecord,
  ) {
    this.prefix = integerBytes(record.number);
    this.indexes = Object.entries(record.indexes).map(([indexName, index]) => ({
      ...index,
      name: indexName,
      prefix: this.prefix + integerBytes(index.number),
    }));
  }

  /** @throws TypeError when the collection does not declare it. */
  index(name: string): IndexState {
    const index = this.indexes.find((candidate) => candidate.name === name);
    if (index === undefined) throw new TypeError(`Collection ${this.name} has no index ${name}.`);
    return index;
  }

  isExpired(document: StoredJson, now: number): boolean {
    const { expiry } = this.record;
    if (expiry === null) return false;
    const instant = document[expiry];
    return typeof instant === 'number' && instant <= now;
  }

  /** The key by which the sweep finds the document when its time has come. */
  expiryKey(document: StoredJson, documentKey: ByteString): ByteString | undefined {
    const instant = this.record.expiry === null ? undefined : document[this.record.expiry];
    return typeof instant === 'number' ? numberBytes(instant) + documentKey : undefined;
  }
}

/** @throws TypeError for an `_id` that the port does not allow. */
export function demandSoundId(id: unknown): asserts id is string {
  if (typeof id !== 'string' || id === '' || (id.length > 400 && Buffer.byteLength(id) > maximumIdBytes)) {
    throw new TypeError('A document needs an _id of 1 to 1,200 UTF-8 bytes.');
  }
}

/** The keys of a document's entries in an index, whole: {@link fittingKey} makes them storable. */
export function wholeIndexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  let keys: ByteString[] = [index.prefix];
  for (const field of index.fields) {
    const value = document[field] ?? null;
    if (index.unique && value === null) return [];
    if (Array.isArray(value)) {
      const elements = new Set((value as IndexValue[]).map((element) => indexValueBytes(element)));
      keys = keys.flatMap((key) => [...elements].map((element) => key + element));
    } else {
      const bytes = indexValueBytes(value as IndexValue);
      keys = keys.map((key) => key + bytes);
    }
  }
  return index.unique ? keys : keys.map((key) => key + idBytes);
}

export function indexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  return wholeIndexKeys(index, document, idBytes).map((key) => fittingKey(key));
}

/** Whether two versions of a document have the same entries in an index, told without building keys. */
export function sameIndexValues(index: IndexState, before: StoredJson, after: StoredJson): boolean {
  return index.fields.every((field) => {
    const left = before[field] ?? null;
    const right = after[field] ?? null;
    if (left === right) return true;
    return Array.isArray(left) && Array.isArray(right) && JSON.stringify(left) === JSON.stringify(right);
  });
}

/** @throws TypeError where an indexed field holds what no index takes. */
export function demandIndexable(state: CollectionState, document: StoredJson): void {
  for (const index of state.indexes) {
    for (const field of index.fields) {
      const value = document[field];
      const isSound = Array.isArray(value)
        ? value.every(isIndexValue)
        : value === undefined || isIndexValue(value);
      if (!isSound)
        throw new TypeError(`Field ${field} of ${state.name} is indexed and holds no index value.`);
    }
  }
}

/** Whether a stored index serves a declared one as it is. */
export function isSameIndex(stored: IndexRecord | undefined, declared: IndexDeclaration): boolean {
  return (
    stored !== undefined &&
    stored.unique === (declared.unique === true) &&
    stored.fields.join('.') === declared.fields.join('.')
  );
}

/** @throws TypeError for a declaration that no store could keep. */
export function demandSoundDeclaration(declaration: CollectionDeclaration): void {
  if (declaration.name === '') throw new TypeError('A collection needs a name.');
  for (const [name, { fields }] of Object.entries(declaration.indexes)) {
    const isSound =
      fields.length > 0 && fields.every((field) => !field.includes('.') && !field.startsWith('$'));
    if (!isSound) throw new TypeError(`Index ${name} of ${declaration.name} needs plain top-level fields.`);
  }
}
