import type {
  CollectionDeclaration,
  IndexDeclaration,
  IndexValue,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import {
  type ByteString,
  fittingKey,
  indexValueBytes,
  integerBytes,
  maximumKeyBytes,
  numberBytes,
} from '../database/key-encoding.js';

/*
 * Storage format: add, never change.
 *
 *   collections  name                                     → JSON CollectionRecord
 *   documents    collection number, id                    → JSON document
 *   indexes      collection number, index number, values, id   → id      (no id in the key of a unique index)
 *   expiry       instant, collection number, id           → "1"
 *   garbage      prefix of keys to remove from indexes    → "1"
 *   leases       of 1.0.0-rc.1 and before; unused
 *   meta         next_collection                          → the next free collection number
 *   fences       "writer"                                 → how often the file was opened for writing (lmdb version)
 */

export interface IndexRecord {
  readonly number: number;
  readonly fields: readonly string[];
  readonly unique: boolean;
  /** True if a document in which a field is null or absent has no entry. */
  readonly sparse: boolean;
  /** False until the older documents are in the index. */
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

/** A declared collection: its record, and how its keys begin. */
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

  /** @param record the collection's record after a new declaration */
  adopt(record: CollectionRecord): void {
    this.record = record;
    this.indexes = Object.entries(record.indexes).map(([indexName, index]) => ({
      ...index,
      name: indexName,
      prefix: this.prefix + integerBytes(index.number),
    }));
    this.indexedFields = [...new Set(this.indexes.flatMap(({ fields }) => fields))];
  }

  /** @throws TypeError for an index that the collection does not declare */
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

  /** The key of the document in the table `expiry`; undefined if it never expires. */
  expiryKey(document: StoredJson, documentKey: ByteString): ByteString | undefined {
    const instant = this.record.expiry === null ? undefined : document[this.record.expiry];
    return typeof instant === 'number' ? numberBytes(instant) + documentKey : undefined;
  }
}

const maximumIdBytes = 1_200;

/** @throws TypeError for an `_id` that the port does not allow */
export function assertSoundId(id: unknown): asserts id is string {
  // No character takes more than 3 bytes, so short ids need no count of bytes.
  if (typeof id !== 'string' || id === '' || (id.length > 400 && Buffer.byteLength(id) > maximumIdBytes)) {
    throw new TypeError('A document needs an _id of 1 to 1,200 UTF-8 bytes.');
  }
}

/** The keys of a document in an index, of any length. {@link indexKeys} shortens them for lmdb. */
export function wholeIndexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  let keys = [index.prefix];
  for (const field of index.fields) {
    const value = (document[field] ?? null) as IndexValue | IndexValue[];
    if (index.sparse && value === null) return [];
    const prefixes = keys;
    keys = [];
    for (const element of Array.isArray(value) ? new Set(value) : [value]) {
      const bytes = indexValueBytes(element);
      for (const prefix of prefixes) keys.push(prefix + bytes);
    }
  }
  if (!index.unique) for (let i = 0; i < keys.length; i += 1) keys[i] += idBytes;
  return keys;
}

export function indexKeys(index: IndexState, document: StoredJson, idBytes: ByteString): ByteString[] {
  const keys = wholeIndexKeys(index, document, idBytes);
  for (let i = 0; i < keys.length; i += 1) {
    if (keys[i]!.length > maximumKeyBytes) keys[i] = fittingKey(keys[i]!);
  }
  return keys;
}

/** True if two versions of a document have the same entries in an index. Cheaper than comparing the keys. */
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

/** @throws TypeError if an indexed field holds something other than an index value */
export function assertIndexable(state: CollectionState, document: StoredJson): void {
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

/** True if the stored index is what the declaration asks for. */
export function isSameIndex(stored: IndexRecord | undefined, declared: IndexDeclaration): boolean {
  return (
    stored !== undefined &&
    stored.unique === (declared.unique === true) &&
    stored.sparse === isSparse(declared) &&
    stored.fields.join('.') === declared.fields.join('.')
  );
}

/** @throws TypeError for a declaration that the port does not allow */
export function assertSoundDeclaration(declaration: CollectionDeclaration): void {
  if (declaration.name === '') throw new TypeError('A collection needs a name.');
  for (const [name, { fields }] of Object.entries(declaration.indexes)) {
    const isSound =
      fields.length > 0 && fields.every((field) => !field.includes('.') && !field.startsWith('$'));
    if (!isSound) throw new TypeError(`Index ${name} of ${declaration.name} needs plain top-level fields.`);
  }
}
