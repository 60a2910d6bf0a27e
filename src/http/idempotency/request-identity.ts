import { hash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { canonicalJson } from '../../log/canonical-json.js';
import { validationFailed } from '../api-error.js';
import { codePoints } from '../validation/rule.js';
import type { Json } from '../../log/event-store.js';
import type { Request } from 'express';

const LONGEST_KEY = 255;

/** Names a command: whose key it is and what was asked under it. */
export interface RequestIdentity {
  /** The `_id` of the record: whose key it is and its hash, because a key may hold anything and be of any length in bytes. */
  readonly record_id: string;
  readonly request_hash: string;
}

/**
 * Under which record of a keeper a request with an `Idempotency-Key` is known, or undefined where it has none.
 * @throws ApiError 422 for a key of another length, and for two.
 */
export function recordIdOf(request: Request, keeper: string): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  // Node joins what is sent twice into one text, which two clients could mean differently.
  if (timesSent(request) > 1) {
    throw validationFailed({ idempotency_key: ['The idempotency key field must be given only once.'] });
  }
  const given = key as string;
  const length = lengthOf(given);
  if (length < 1 || length > LONGEST_KEY) {
    throw validationFailed({
      idempotency_key: [`The idempotency key field must be between 1 and ${LONGEST_KEY} characters.`],
    });
  }
  return `${keeper} ${sha256(given)}`;
}

/** What a request is known by; its body has been read. */
export function identify(request: Request, record_id: string): RequestIdentity {
  return { record_id, request_hash: hashRequest(request) };
}

function timesSent({ rawHeaders }: Request): number {
  return rawHeaders.filter((text, place) => place % 2 === 0 && text.toLowerCase() === 'idempotency-key')
    .length;
}

/** Characters as the client counted them: Node shows a header's bytes as Latin-1, clients mostly mean UTF-8. */
function lengthOf(header: string): number {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? codePoints(bytes.toString('utf8')) : header.length;
}

/** Two spellings of one path are one request; a `/` inside of a segment is not one between two. */
function decodedPath({ originalUrl }: Request): string {
  const [path, ...query] = originalUrl.split('?');
  const segments = path!.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
  return [segments.join('/'), ...query].join('?');
}

function hashRequest(request: Request): string {
  const body = request.body === undefined ? '' : canonicalJson(request.body as Json);
  return sha256(`${request.method}\n${decodedPath(request)}\n${body}`);
}

function sha256(text: string): string {
  return hash('sha256', text);
}
