import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  FindOptions,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { uniqueName, type ContractCase } from './contract-case.js';
import type { DocumentStoreFixture } from './document-store.contract.js';

export type DocumentStoreCase = ContractCase<DocumentStoreFixture>;

/** A document of the cases: any field may be there or not. */
export interface Sample extends StoredDocument {
  readonly [field: string]: unknown;
}

export interface SampleCollection extends Collection<Sample> {
  readonly name: string;
  insert(document: Sample): Promise<WriteOutcome>;
  put(document: Sample): Promise<WriteOutcome>;
  putIfNewer(document: Sample & { revision: number }): Promise<WriteOutcome>;
  compareAndSet(expected: number | null, document: Sample & { version: number }): Promise<WriteOutcome>;
  delete(id: string, expected?: number): Promise<WriteOutcome>;
  /** Puts all documents and demands that it was done. */
  fill(documents: readonly Sample[]): Promise<void>;
}

export const written: WriteOutcome = { kind: 'written' };
export const notNewer: WriteOutcome = { kind: 'not_newer' };
export const versionConflict: WriteOutcome = { kind: 'version_conflict' };

export function duplicate(index: string): WriteOutcome {
  return { kind: 'duplicate', index };
}

const sampleIndexes = {
  by_company_name: { fields: ['company', 'name'] },
  by_rank: { fields: ['rank'] },
  by_tag: { fields: ['tags'] },
  by_company_phone: { fields: ['company', 'phone'], sparse: true },
  by_company_email: { fields: ['company', 'email'], unique: true },
  by_code: { fields: ['code'], unique: true },
};

/** A collection of the case's own, with indexes of every kind and an expiry. */
export async function sampleCollection(
  store: DocumentStore,
  declaration: Partial<CollectionDeclaration<Sample>> = {},
): Promise<SampleCollection> {
  const full = { name: uniqueName('samples'), indexes: sampleIndexes, expiry: 'expires_at', ...declaration };
  const collection = await store.collection<Sample>(full);
  const write = async (one: DocumentWrite): Promise<WriteOutcome> => (await store.write([one]))[0]!;
  return {
    name: full.name,
    get: (id) => collection.get(id),
    getMany: (ids, options) => collection.getMany(ids, options),
    find: (index, options) => collection.find(index, options),
    findAny: (index, values, options) => collection.findAny(index, values, options),
    page: (after, limit) => collection.page(after, limit),
    insert: (document) => write({ kind: 'insert', collection: full.name, document }),
    put: (document) => write({ kind: 'put', collection: full.name, document }),
    putIfNewer: (document) => write({ kind: 'put_if_newer', collection: full.name, document }),
    compareAndSet: (expected, document) =>
      write({ kind: 'compare_and_set', collection: full.name, expected, document }),
    delete: (id, expected) =>
      write({ kind: 'delete', collection: full.name, id, ...(expected === undefined ? {} : { expected }) }),
    async fill(documents) {
      const outcomes = await store.write(
        documents.map((document) => ({ kind: 'put', collection: full.name, document })),
      );
      expect(outcomes).toEqual(documents.map(() => written));
    },
  };
}

export async function idsFound(
  collection: Collection<Sample>,
  index: string,
  options: Partial<FindOptions> = {},
): Promise<string[]> {
  const page = await collection.find(index, { equals: [], limit: 100, ...options });
  return page.documents.map(({ _id }) => _id);
}

/** All pages of a find; `between` runs after each. */
export async function idsByPages(
  collection: Collection<Sample>,
  index: string,
  options: FindOptions,
  between: (ids: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await collection.find(index, cursor === null ? options : { ...options, cursor });
    expect(page.documents.length).toBeLessThanOrEqual(options.limit);
    ids.push(...page.documents.map(({ _id }) => _id));
    cursor = page.next_cursor;
    await between(ids);
  } while (cursor !== null);
  return ids;
}

export function numbered<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}
