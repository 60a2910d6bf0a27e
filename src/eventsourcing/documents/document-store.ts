import type { Json } from '#eventsourcing/log/event-store.js';
import type { CountedWindow } from './counted-window.js';

/**
 * The document store port: collections of JSON documents with declared indexes and conditional writes. It has no
 * transactions: a condition is about one document. Callers must not change a document that they wrote or read, because
 * an adapter may freeze and share it. Every adapter passes `test/eventsourcing/contract/document-store.contract.ts`.
 */

/** `_id` is a string of 1 to 1,200 UTF-8 bytes. Field names hold no `.` and do not begin with `$`. */
export interface StoredDocument {
  readonly _id: string;
}

/** The values of an indexed field. Null sorts first, then numbers, then strings by UTF-8 bytes. */
export type IndexValue = null | number | string;

export function isIndexValue(value: unknown): value is IndexValue {
  return value === null || typeof value === 'string' || typeof value === 'number';
}

export interface IndexDeclaration {
  /** Plain top-level field names. At most one of them may hold an array, which is indexed once per element. */
  readonly fields: readonly string[];
  /** Name of the one of `fields` that holds an array of strings in every document. Finds with bounds on it need this. */
  readonly list?: string;
  /** The index leaves out documents in which one of its fields is null or absent. */
  readonly sparse?: boolean;
  /** Sparse, and no two documents have the same values. */
  readonly unique?: boolean;
}

export interface CollectionDeclaration<D extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly indexes: Readonly<Record<string, IndexDeclaration>>;
  /**
   * A top-level field with an instant in milliseconds, or null for never. From that instant on, reads, finds and unique
   * keys treat the document as absent. The store removes it later.
   */
  readonly expiry?: string;
  /** Carries the type only; never set. */
  readonly document?: D;
}

export type DocumentWrite =
  /** Refused as `duplicate` if the `_id` or a unique key is taken. */
  | { readonly kind: 'insert'; readonly collection: string; readonly document: StoredDocument }
  /** Writes in any case. For records that have one writer by design. */
  | { readonly kind: 'put'; readonly collection: string; readonly document: StoredDocument }
  /** Writes unless the stored document's `revision` is equal or greater: then `not_newer`. */
  | {
      readonly kind: 'put_if_newer';
      readonly collection: string;
      readonly document: StoredDocument & { readonly revision: number };
    }
  /**
   * Replaces the document if its `version` is `expected`; otherwise `version_conflict`. `expected: null` demands that
   * there is no document. The new document contains its own next `version`.
   */
  | {
      readonly kind: 'compare_and_set';
      readonly collection: string;
      readonly expected: number | null;
      readonly field?: 'version';
      readonly document: StoredDocument & { readonly version: number };
    }
  /** The same by `revision`. The new document may have the same revision: so a rebuild corrects a wrong document. */
  | {
      readonly kind: 'compare_and_set';
      readonly collection: string;
      readonly expected: number;
      readonly field: 'revision';
      readonly document: StoredDocument & { readonly revision: number };
    }
  /**
   * Removes the document. With `expected`, it removes only that `version`; otherwise `version_conflict`. If there is no
   * document, the outcome is `written`.
   */
  | {
      readonly kind: 'delete';
      readonly collection: string;
      readonly id: string;
      readonly expected?: number;
      /** The field that `expected` is compared with; `version` if absent. */
      readonly field?: 'version' | 'revision';
    };

export type WriteOutcome =
  | { readonly kind: 'written' }
  /** `index` is the name of the unique index whose key is taken, or `_id`. */
  | { readonly kind: 'duplicate'; readonly index: string }
  | { readonly kind: 'not_newer' }
  | { readonly kind: 'version_conflict' }
  /**
   * A later write has replaced or removed the document. The store cannot say whether it stored this write before that.
   * It happens only if several `compare_and_set` on one collection share a call. Treat it as a conflict.
   */
  | { readonly kind: 'unclear' };

export interface WriteOptions {
  /** Waits up to a second for another write, to share its commit. Ignored by stores without such commits. */
  readonly lazy?: boolean;
}

export interface FindOptions {
  /** Values of the index's leading fields, in its order. May be empty. */
  readonly equals: readonly IndexValue[];
  /** Bounds on the index field after those in `equals`. Null and absent values are outside every bound. */
  readonly from?: IndexValue;
  readonly to?: IndexValue;
  readonly descending?: boolean;
  /** The `next_cursor` of the page before. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface DocumentPage<D> {
  readonly documents: D[];
  /** null on the last page. */
  readonly next_cursor: string | null;
}

export interface GetOptions<D> {
  /** The call is one of many that read a whole list: its documents must not push others out of a cache. */
  readonly isScan?: boolean | undefined;
  /**
   * The document that an earlier call with this option has returned. For large documents that are read often and change
   * rarely: while it is what is stored, a store on a server returns it again and reads no other.
   */
  readonly known?: (id: string) => D | undefined;
}

export interface Collection<D extends StoredDocument> {
  /** The document, or undefined. @throws StoreUnavailableError */
  get(id: string): Promise<D | undefined>;
  /**
   * In the order of `ids`; undefined for each absent document.
   * @throws StoreUnavailableError
   */
  getMany(ids: readonly string[], options?: GetOptions<D>): Promise<(D | undefined)[]>;
  /**
   * One page of documents in index order, ties by `_id`. A document with an array is found once; the store chooses which
   * of its elements within the bounds gives its position in the order.
   * @throws InvalidCursorError for a cursor that this store did not make. @throws StoreUnavailableError
   */
  find(index: string, options: FindOptions): Promise<DocumentPage<D>>;
  /**
   * All documents whose first index field equals one of `values`, unordered. If one of them is not `known`, or was changed,
   * a store on a server reads all.
   * @throws StoreUnavailableError
   */
  findAny(index: string, values: readonly IndexValue[], options?: Pick<GetOptions<D>, 'known'>): Promise<D[]>;
  /** Documents in a stable order of ids, after the id `after` if it is given. @throws StoreUnavailableError */
  page(after: string | undefined, limit: number): Promise<D[]>;
}

/**
 * A lease that was granted. `fence` grows each time the lease gets a new owner. On a server leases are held against other
 * processes. Embedded stores have one process, and its leases end with it.
 */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  readonly fence: number;
}

export interface DocumentStore {
  /** Opens a collection and creates its missing indexes. Idempotent for the same declaration. */
  collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>>;

  /**
   * Applies writes, each with its own condition and outcome. Outcomes are in the order of `writes`. The call is not
   * atomic across documents; several writes to one document are applied in order. Records are durable before the promise
   * resolves; embedded views are not.
   * @throws StoreUnavailableError
   */
  write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<WriteOutcome[]>;

  /** Takes a lease that is free, or was not renewed for `milliseconds` by the store's clock; undefined if it is held. */
  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined>;
  /** Extends a lease; false if it was lost. */
  renewLease(lease: Lease): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;

  /**
   * Adds `by` to the counter `name`. The first count opens a window of `milliseconds`; the first count after its end
   * opens the next one. 0 only reads. A negative `by` lowers the count, unless it would become negative: then nothing
   * changes. A window of less than an hour may end with the process.
   * @returns the window after the count; if none is open, the one that a count would open
   * @throws StoreUnavailableError
   */
  count(name: string, by: number, milliseconds: number): Promise<CountedWindow>;

  /** Cheap check that the store answers. @throws StoreUnavailableError */
  ping(): Promise<void>;

  /** Finishes the accepted writes and closes the store. Idempotent. */
  close(): Promise<void>;
}

export type { CountedWindow, Json };
