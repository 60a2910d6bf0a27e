import type { CollectionDeclaration, StoredDocument } from '../../documents/document-store.js';

/** An answer as it was sent, so that it can be sent again byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Storage format: add, never change. */
export interface IdempotencyRecord extends StoredDocument {
  /** Counts the record's own changes; every one of them is a compare-and-set. */
  readonly version: number;
  /** HMAC-SHA256 of method, path with query and canonical body. */
  readonly request_hash: string;
  /** The id of the command in the event log, whichever attempt executes it. */
  readonly command_id: string;
  /** The process that executes, or did. */
  readonly owner: string;
  /** The instant until which nobody else may execute. */
  readonly lease_until: number;
  /** The instant from which on the key is a new one. */
  readonly expires_at: number;
  /** null while the request runs, or where nobody knows how it ended. */
  readonly answer: StoredAnswer | null;
}

export const IDEMPOTENCY_RECORDS: CollectionDeclaration<IdempotencyRecord> = {
  name: 'idempotency',
  indexes: {},
  expiry: 'expires_at',
};
