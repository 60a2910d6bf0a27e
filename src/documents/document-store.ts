import type { Json } from '../log/event-store.js';
import type { CountedWindow } from './counted-window.js';

/**
 * The document store port: collections of JSON documents with declared indexes and conditional writes.
 * No transactions: every guard is a condition on one document. A document that is written or read is not to be changed
 * any more: an adapter may freeze and share it, or copy it. Every adapter passes
 * `test/contract/document-store.contract.ts`.
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
  /** The field that holds an array of texts in every document: needed for finds with bounds on it. */
  readonly list?: string;
  /** Documents in which one of the fields is null or absent are not found by it, and cost no entry. */
  readonly sparse?: boolean;
  /** Sparse, and no two documents have the same values. */
  readonly unique?: boolean;
}

export interface CollectionDeclaration<D extends StoredDocument = StoredDocument> {
  readonly name: string;
  readonly indexes: Readonly<Record<string, IndexDeclaration>>;
  /**
   * A top-level field with an instant in milliseconds, or null for never. From then on the document counts as absent
   * for reads, finds and unique keys, removed or not.
   */
  readonly expiry?: string;
  /** Carries the type only; never set. */
  readonly document?: D;
}

export type DocumentWrite =
  /** Refused as `duplicate` where the `_id` or a unique key is taken. */
  | { readonly kind: 'insert'; readonly collection: string; readonly document: StoredDocument }
  /** Writes whatever stands there. For records with one writer by design. */
  | { readonly kind: 'put'; readonly collection: string; readonly document: StoredDocument }
  /** Writes unless the stored document's `revision` is equal or greater: then `not_newer`. */
  | {
      readonly kind: 'put_if_newer';
      readonly collection: string;
      readonly document: StoredDocument & { readonly revision: number };
    }
  /**
   * Replaces the document whose `version` is `expected`; `expected: null` demands that there is none. The document
   * carries its own next `version`. Otherwise `version_conflict`.
   */
  | {
      readonly kind: 'compare_and_set';
      readonly collection: string;
      readonly expected: number | null;
      readonly field?: 'version';
      readonly document: StoredDocument & { readonly version: number };
    }
  /** The same by `revision`, which may stay as it is: a rebuild corrects a document that says something else. */
  | {
      readonly kind: 'compare_and_set';
      readonly collection: string;
      readonly expected: number;
      readonly field: 'revision';
      readonly document: StoredDocument & { readonly revision: number };
    }
  /** Removes the document; with `expected`, only at that `version`, otherwise `version_conflict`. Absent: `written`. */
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
   * Another document stands there, or none any more, and the store cannot say whether this write had been stored before.
   * Only where one call holds several `compare_and_set` on one collection. To be read and decided again, as a conflict.
   */
  | { readonly kind: 'unclear' };

export interface WriteOptions {
  /** Waits up to a second for another write, to share its commit. Ignored by stores without such commits. */
  readonly lazy?: boolean;
}

export interface FindOptions {
  /** Values of the index's leading fields, in its order. May be empty. */
  readonly equals: readonly IndexValue[];
  /** Bounds on the index field after those in `equals`; null and absent values are outside any bound. */
  readonly from?: IndexValue;
  readonly to?: IndexValue;
  readonly descending?: boolean;
  /** The `next_cursor` of the page before. Opaque, made by the store that reads it. */
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface Page<D> {
  readonly documents: D[];
  /** null where nothing follows. */
  readonly next_cursor: string | null;
}

export interface Collection<D extends StoredDocument> {
  /** The document, or undefined. @throws StoreUnavailableError */
  get(id: string): Promise<D | undefined>;
  /** In the order of `ids`, undefined where there is none. @throws StoreUnavailableError */
  getMany(ids: readonly string[]): Promise<(D | undefined)[]>;
  /**
   * Documents in index order (ties by `_id`), a page at a time. A document with an array is found once, by one of its
   * elements within the bounds; its place in the order is the store's choice.
   * A cursor that this store did not make throws InvalidCursorError. @throws StoreUnavailableError
   */
  find(index: string, options: FindOptions): Promise<Page<D>>;
  /** All documents whose leading index field equals one of `values`, unordered. @throws StoreUnavailableError */
  findAny(index: string, values: readonly IndexValue[]): Promise<D[]>;
  /** Documents in one order by their ids, those behind `after`; from the first where absent. @throws StoreUnavailableError */
  page(after: string | undefined, limit: number): Promise<D[]>;
}

/** A lease that was granted. `fence` grows each time the lease changes hands. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  readonly fence: number;
}

export interface DocumentStore {
  /** Opens a collection, creating what its declaration needs. Idempotent for the same declaration. */
  collection<D extends StoredDocument>(declaration: CollectionDeclaration<D>): Promise<Collection<D>>;

  /**
   * Applies writes, each with its own condition and outcome, in one round trip where the store can. The outcomes stand
   * in the order of `writes`. Not atomic across documents; a document named twice sees its writes in order.
   * Durable as far as the store was opened to be (records: before the promise resolves).
   * @throws StoreUnavailableError
   */
  write(writes: readonly DocumentWrite[], options?: WriteOptions): Promise<WriteOutcome[]>;

  /** Takes a lease that is free or older than `milliseconds` by the store's own clock; undefined where another holds it. */
  takeLease(name: string, owner: string, milliseconds: number): Promise<Lease | undefined>;
  /** Extends a lease; false where it was lost. */
  renewLease(lease: Lease): Promise<boolean>;
  releaseLease(lease: Lease): Promise<void>;

  /**
   * Adds `by` to what is counted under `name`. The first count opens a window of so many milliseconds; a count after
   * its end opens the next. 0 only looks. A negative `by` takes back from the open window, and nothing where it holds
   * less. A window of less than an hour may end with the process.
   * @returns the window with the count in it; where none is open, the one that a count would open
   * @throws StoreUnavailableError
   */
  count(name: string, by: number, milliseconds: number): Promise<CountedWindow>;

  /** Cheap check that the store answers. @throws StoreUnavailableError */
  ping(): Promise<void>;

  /** Finishes what was accepted and releases everything. Idempotent. */
  close(): Promise<void>;
}

export type { CountedWindow, Json };
