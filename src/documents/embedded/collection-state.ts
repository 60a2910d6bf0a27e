import {
  type CollectionDeclaration,
  type IndexDeclaration,
  type IndexValue,
  type StoredDocument,
} from '../document-store.js';
import {
  type ByteString,
  fittingKey,
  indexValueBytes,
  integerBytes,
  maximumKeyBytes,
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
  /** Whether a document in which a field is null or absent has no entry. */
  readonly sparse: boolean;
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

/** A collection as its record says now, with the keys of its documents and of their index entries. */
export class CollectionState {
  readonly prefix: ByteString;
  record!: CollectionRecord;
  indexes!: readonly IndexState[];
  indexedFields!: readonly string[];

  constructor(
    readonly name: string,
    record: CollectionRecord,
  ) {
    this.prefix = integerBytes(record.number);
    this.adopt(record);
  }

  /** @param record of the same collection, after another declaration */
  adopt(record: CollectionRecord): void {
    this.record = record;
    this.indexes = Object.entries(record.indexes).map(([indexName, index]) => ({
      ...index,
      name: indexName,
      prefix: this.prefix + integerBytes(index.number),
    }));
    this.indexedFields = [...new Set(this.indexes.flatMap(({ fields }) => fields))];
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

/** The keys of a document's entries in an index, whole: {@link indexKeys} makes them storable. */
export function wholeIndexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  let keys = [index.prefix];
  for (const field of index.fields) {
    const value = (document[field] ?? null) as IndexValue | IndexValue[];
    if (index.sparse && value === null) return [];
    const begun = keys;
    keys = [];
    for (const element of Array.isArray(value) ? new Set(value) : [value]) {
      const bytes = indexValueBytes(element);
      for (const key of begun) keys.push(key + bytes);
    }
  }
  if (!index.unique) for (let place = 0; place < keys.length; place += 1) keys[place] += idBytes;
  return keys;
}

export function indexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  const keys = wholeIndexKeys(index, document, idBytes);
  for (let place = 0; place < keys.length; place += 1) {
    if (keys[place]!.length > maximumKeyBytes) keys[place] = fittingKey(keys[place]!);
  }
  return keys;
}

/** Whether two versions of a document have the same entries in an index, told without building keys. */
export function sameIndexValues(index: IndexState, before: StoredJson, after: StoredJson): boolean {
  for (const field of index.fields) {
    const left = before[field] ?? null;
    const right = after[field] ?? null;
    if (left === right) continue;
    if (!Array.isArray(left) || !Array.isArray(right)) return false;
    if (JSON.stringify(left) !== JSON.stringify(right)) return false;
  }
  return true;
}

/** @throws TypeError where an indexed field holds what no index takes. */
export function demandIndexable(state: CollectionState, document: StoredJson): void {
  for (const field of state.indexedFields) {
    const value = document[field] ?? null;
    for (const one of (Array.isArray(value) ? value : [value]) as readonly unknown[]) {
      if (typeof one === 'string' || one === null || typeof one === 'number') continue;
      throw new TypeError(`Field ${field} of ${state.name} is indexed and holds no index value.`);
    }
  }
}

export function isSparse({ sparse, unique }: IndexDeclaration): boolean {
  return sparse === true || unique === true;
}

/** Whether a stored index serves a declared one as it is. */
export function isSameIndex(stored: IndexRecord | undefined, declared: IndexDeclaration): boolean {
  return (
    stored !== undefined &&
    stored.unique === (declared.unique === true) &&
    stored.sparse === isSparse(declared) &&
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
