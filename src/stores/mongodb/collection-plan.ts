import {
  type CollectionDeclaration,
  type DocumentWrite,
  type StoredDocument,
  isIndexValue,
} from '#eventsourcing/documents/document-store.js';

/** A document in MongoDB: the caller's fields and the hidden fields of this adapter. */
export interface StoredRecord {
  _id: string;
  [field: string]: unknown;
}

/*
 * Hidden fields. Storage format: add, never change.
 *
 *   __writer        id of the write that stored the document. It shows whether a write without an answer succeeded.
 *   __expires       the declared expiry as a Date, for the TTL index; absent for never
 *   __open_<index>  the _id, if a field of that unique index is null. The key is then always unique, so documents with
 *                   null fields do not conflict. Not every server has partial indexes.
 */
const hiddenPrefix = '__';
export const writerField = '__writer';
export const expiresField = '__expires';
export const openPrefix = '__open_';

export interface IndexPlan {
  readonly name: string;
  readonly fields: readonly string[];
  readonly unique: boolean;
  /** True if the index leaves out documents in which one of its fields is null or absent. A unique index does. */
  readonly sparse: boolean;
  /** The field that holds an array of strings in every document. */
  readonly list?: string | undefined;
}

/** The last instant that a Date can represent. */
const latestDate = 8_640_000_000_000_000;

/** A declared collection: it encodes documents, decodes records and makes filters. */
export class CollectionPlan {
  readonly name: string;
  readonly expiry: string | undefined;
  readonly indexes: readonly IndexPlan[];

  /** @throws TypeError for a declaration that the port does not allow */
  constructor(declaration: CollectionDeclaration) {
    this.name = declaration.name;
    this.expiry = declaration.expiry;
    this.indexes = Object.entries(declaration.indexes).map(
      ([name, { fields, unique = false, sparse = unique, list }]) => ({
        name,
        fields,
        list,
        unique,
        sparse,
      }),
    );
    if (!/^[A-Za-z][^$\0]*$/.test(this.name)) {
      throw new TypeError('The name of a collection begins with a letter and holds no $.');
    }
    for (const { name, fields } of this.indexes) {
      if (fields.length === 0 || !fields.every(isPlainField)) {
        throw new TypeError(`Index ${name} of ${this.name} needs plain top-level fields.`);
      }
    }
  }

  /** @throws TypeError for an index that the collection does not declare */
  index(name: string): IndexPlan {
    const index = this.indexes.find((candidate) => candidate.name === name);
    if (index === undefined) throw new TypeError(`Collection ${this.name} has no index ${name}.`);
    return index;
  }

  /** @throws TypeError for a document that the port does not allow */
  encode(document: StoredDocument, writer: string): StoredRecord {
    assertSoundId(document._id);
    assertSoundFields(document);
    const record: StoredRecord = { ...document };
    this.#assertIndexable(record);
    record[writerField] = writer;
    const instant = this.expiry === undefined ? undefined : record[this.expiry];
    if (typeof instant === 'number') record[expiresField] = new Date(Math.min(instant, latestDate));
    return Object.assign(record, this.openFields(record));
  }

  /** The hidden `__open_` fields of a document. */
  openFields(record: StoredRecord): Record<string, string> {
    const open = this.indexes.filter(
      ({ unique, fields }) => unique && fields.some((field) => isOpen(record[field])),
    );
    return Object.fromEntries(open.map(({ name }) => [openPrefix + name, record._id]));
  }

  decode<D extends StoredDocument>(record: StoredRecord): D {
    const document: Record<string, unknown> = {};
    for (const field of Object.keys(record)) {
      if (!field.startsWith(hiddenPrefix)) document[field] = record[field];
    }
    return document as unknown as D;
  }

  isExpired(record: StoredRecord, now: number): boolean {
    const instant = this.expiry === undefined ? undefined : record[this.expiry];
    return typeof instant === 'number' && instant <= now;
  }

  /** A filter for expired documents; undefined if the collection has no expiry. */
  expired(now: number): Record<string, unknown> | undefined {
    return this.expiry === undefined ? undefined : { [this.expiry]: { $lte: now } };
  }

  /** A filter for documents that have not expired; undefined if the collection has no expiry. */
  alive(now: number): Record<string, unknown> | undefined {
    return this.expiry === undefined ? undefined : { [this.expiry]: { $not: { $lte: now } } };
  }

  #assertIndexable(record: StoredRecord): void {
    for (const { name, fields } of this.indexes) {
      if (!fields.every((field) => isIndexable(record[field]))) {
        throw new TypeError(`A field of index ${name} of ${this.name} holds no index value.`);
      }
      if (fields.filter((field) => Array.isArray(record[field])).length > 1) {
        throw new TypeError(`More than one field of index ${name} of ${this.name} holds an array.`);
      }
    }
  }
}

export function idOf(write: DocumentWrite): string {
  return write.kind === 'delete' ? write.id : write.document._id;
}

function isOpen(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function isIndexable(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isIndexValue) : value === undefined || isIndexValue(value);
}

function isPlainField(field: string): boolean {
  return field !== '' && !/^\$|[.\0]/.test(field) && !field.startsWith(hiddenPrefix);
}

function assertSoundId(id: unknown): void {
  if (typeof id !== 'string' || id === '' || Buffer.byteLength(id) > 1_200) {
    throw new TypeError('A document needs an _id of 1 to 1,200 UTF-8 bytes.');
  }
}

/** MongoDB would read names with `.` or `$` as paths and operators, or would refuse them only at the write. */
function assertSoundFields(document: object): void {
  for (const field of Object.keys(document)) {
    if (field.startsWith(hiddenPrefix)) throw new TypeError(`The field name ${field} is reserved.`);
  }
  assertSoundNames(document);
}

function assertSoundNames(value: object): void {
  if (Array.isArray(value)) {
    for (const element of value) if (isObjectOrArray(element)) assertSoundNames(element);
    return;
  }
  for (const [field, child] of Object.entries(value)) {
    // A document of a megabyte has 80,000 names, and a pattern takes longer.
    if (field.startsWith('$') || field.includes('.') || field.includes('\0'))
      throw new TypeError(`The field name ${field} holds . or begins with $.`);
    if (isObjectOrArray(child)) assertSoundNames(child);
  }
}

function isObjectOrArray(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
