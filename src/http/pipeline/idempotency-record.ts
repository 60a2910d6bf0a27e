import type { CollectionDeclaration, StoredDocument } from '../../documents/document-store.js';

/** An answer, to be sent again byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Storage format: add, never change. */
export interface IdempotencyRecord extends StoredDocument {
  /** Grows with each change; every change is a compare-and-set. */
  readonly version: number;
  /** HMAC-SHA256 of method, path with query and canonical body. */
  readonly request_hash: string;
  /** The id of the command in the event log, the same for every attempt. */
  readonly command_id: string;
  /** The process that executes or executed the request. */
  readonly owner: string;
  /** Nobody else may execute before this instant. */
  readonly lease_until: number;
  /** From this instant, the key counts as new. */
  readonly expires_at: number;
  /** null while the request runs, or if its result is unknown. */
  readonly answer: StoredAnswer | null;
}

export const IDEMPOTENCY_RECORDS: CollectionDeclaration<IdempotencyRecord> = {
  name: 'idempotency',
  indexes: {},
  expiry: 'expires_at',
};
