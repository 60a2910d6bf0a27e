import type { CollectionDeclaration } from '#eventsourcing/documents/document-store.js';
import {
  CollectionState,
  isSameIndex,
  isSparse,
  type CollectionRecord,
  type IndexRecord,
  type StoredJson,
} from './collection-state.js';
import type { DocumentWriter } from './document-writer.js';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import { afterAll, type ByteString, fittingKey, utf8Bytes } from '../database/key-encoding.js';
import type { StoreTable } from '../database/table.js';
import type { WriteGroup } from '../database/group-commit.js';

const chunk = 1_000;

/** The declared collections and their indexes, stored in the database. The writing process also keeps them in memory. */
export class CollectionCatalogue {
  readonly #collections: StoreTable;
  readonly #isReader: boolean;
  readonly #states = new Map<string, CollectionState>();
  readonly #byPrefix = new Map<ByteString, CollectionState>();

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly writer: DocumentWriter,
  ) {
    this.#isReader = database.readOnly;
    this.#collections = database.table('collections');
    for (const { key, value } of this.#collections.entries({ start: '\0', end: afterAll })) {
      this.#remember(Buffer.from(key, 'latin1').toString('utf8'), JSON.parse(value) as CollectionRecord);
    }
  }

  /** A read-only process asks the database each time, because another process may declare collections. */
  state(name: string): CollectionState | undefined {
    if (!this.#isReader) return this.#states.get(name);
    const text = this.#collections.get(collectionKey(name));
    return text === undefined ? undefined : new CollectionState(name, JSON.parse(text) as CollectionRecord);
  }

  /** The declarations of all collections. */
  declarations(): CollectionDeclaration[] {
    return [...this.#states].map(([name, { record }]) => ({
      name,
      indexes: mapValues(record.indexes, ({ fields, unique, sparse }) => ({ fields, unique, sparse })),
      ...(record.expiry !== null && { expiry: record.expiry }),
    }));
  }

  byDocumentKey(key: ByteString): CollectionState | undefined {
    return this.#byPrefix.get(key.slice(0, 6));
  }

  /** Creates or changes the collection to match its declaration, and fills new indexes. */
  async declare(declaration: CollectionDeclaration): Promise<void> {
    if (this.#isDeclared(declaration)) return;
    await this.database.enqueue((group) => this.#writeDeclaration(group, declaration), { alone: true });
    const state = this.#states.get(declaration.name)!;
    for (const index of state.indexes.filter((candidate) => !candidate.ready))
      await this.#fill(state, index.name);
    const markReady = (group: WriteGroup): void => {
      const { record } = this.#states.get(declaration.name)!;
      const indexes = mapValues(record.indexes, (index) => ({ ...index, ready: true }));
      this.#writeRecord(group, declaration.name, { ...record, indexes });
    };
    await this.database.enqueue(markReady, { alone: true });
  }

  #isDeclared(declaration: CollectionDeclaration): boolean {
    const record = this.#states.get(declaration.name)?.record;
    if (record === undefined || record.expiry !== (declaration.expiry ?? null)) return false;
    const declared = Object.entries(declaration.indexes);
    return (
      declared.length === Object.keys(record.indexes).length &&
      declared.every(
        ([name, index]) => isSameIndex(record.indexes[name], index) && record.indexes[name]?.ready,
      )
    );
  }

  #writeDeclaration(group: WriteGroup, declaration: CollectionDeclaration): void {
    const { name } = declaration;
    const before = this.#states.get(name);
    const number = before?.record.number ?? this.#nextNumber(group);
    let nextIndex = before?.record.next_index ?? 1;
    const indexes = mapValues(declaration.indexes, (index, indexName): IndexRecord => {
      const stored = before?.record.indexes[indexName];
      if (stored !== undefined && isSameIndex(stored, index)) return stored;
      const ready = before === undefined;
      const { fields, unique = false } = index;
      return { number: nextIndex++, fields, unique, sparse: isSparse(index), ready };
    });
    const dropped = (before?.indexes ?? []).filter((index) => indexes[index.name]?.number !== index.number);
    for (const { prefix } of dropped) group.put(this.database.table('garbage'), prefix, '1');
    const expiry = declaration.expiry ?? null;
    this.#writeRecord(group, name, { number, next_index: nextIndex, expiry, indexes });
  }

  async #fill(state: CollectionState, indexName: string): Promise<void> {
    const documents = this.database.table('documents');
    let start: ByteString | undefined = state.prefix;
    while (start !== undefined) {
      const from: ByteString = start;
      start = await this.database.enqueue((group) => {
        let last: ByteString | undefined;
        let count = 0;
        const range = { start: from, end: state.prefix + afterAll, limit: chunk };
        for (const { key, value } of documents.entries(range)) {
          this.writer.addToIndex(group, state.index(indexName), value as StoredJson);
          last = key;
          count += 1;
        }
        return count === chunk ? `${last}\0` : undefined;
      });
    }
  }

  #nextNumber(group: WriteGroup): number {
    const meta = this.database.table('meta');
    const number = Number(group.get(meta, 'next_collection') ?? 1);
    group.put(meta, 'next_collection', String(number + 1));
    return number;
  }

  #writeRecord(group: WriteGroup, name: string, record: CollectionRecord): void {
    group.put(this.#collections, collectionKey(name), JSON.stringify(record));
    group.afterCommit(() => this.#remember(name, record));
    // A failed commit may have reached the file. With the old record, writes could fill an index that is being removed.
    group.afterFailure(() => {
      const text = this.#collections.get(collectionKey(name));
      if (text !== undefined) this.#remember(name, JSON.parse(text) as CollectionRecord);
    });
  }

  #remember(name: string, record: CollectionRecord): void {
    const known = this.#states.get(name);
    if (known !== undefined) return known.adopt(record);
    const state = new CollectionState(name, record);
    this.#states.set(name, state);
    this.#byPrefix.set(state.prefix, state);
  }
}

function collectionKey(name: string): ByteString {
  return fittingKey(utf8Bytes(name));
}

function mapValues<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
