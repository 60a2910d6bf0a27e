import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';

/** An answer, to be sent again byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A {@link StoredAnswer} as its record holds it. Storage format: add, never change. */
export interface PackedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if the body is in `deflated`. */
  readonly body: string;
  /** A long body: UTF-8, compressed by DEFLATE, as Base64. */
  readonly deflated?: string;
}

/** Shorter bodies are kept as they are. */
const LEAST_CHARACTERS = 1_024;
/** The fastest level: JSON becomes a tenth with it. */
const DEFLATE = { level: 1 } as const;

export function packed(answer: StoredAnswer): PackedAnswer {
  if (answer.body.length < LEAST_CHARACTERS) return answer;
  return { ...answer, body: '', deflated: deflateRawSync(answer.body, DEFLATE).toString('base64') };
}

export function unpacked({ deflated, ...answer }: PackedAnswer): StoredAnswer {
  if (deflated === undefined) return answer;
  return { ...answer, body: inflateRawSync(Buffer.from(deflated, 'base64')).toString('utf8') };
}

/** Characters that the record takes for the answer's body. */
export function sizeOf({ body, deflated = '' }: PackedAnswer): number {
  return body.length + deflated.length;
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
  readonly answer: PackedAnswer | null;
}

export const IDEMPOTENCY_RECORDS: CollectionDeclaration<IdempotencyRecord> = {
  name: 'idempotency',
  indexes: {},
  expiry: 'expires_at',
};
