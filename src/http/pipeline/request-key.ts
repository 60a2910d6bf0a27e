import { createHmac } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { hashOf } from '../../config/ids.js';
import { canonicalJson } from '../../log/hash-chain.js';
import { invalidField } from '../api-error.js';
import { codePoints } from '../validation/rules.js';
import type { Json } from '../../log/event-store.js';
import type { Request } from 'express';

const LONGEST_KEY = 255;

/**
 * The `_id` of the record of a request's `Idempotency-Key`: whose key it is, and the key's hash, because a key may hold
 * anything and be of any length in bytes.
 * @throws ApiError 422 for a key of another length, and for two.
 */
export function recordIdOf(request: Request, keeper: string): string {
  // Node joins what is sent twice into one text, which two clients could mean differently.
  if (timesSent(request) > 1) {
    throw invalidField('idempotency_key', 'duplicate', 'The idempotency key field must be given only once.');
  }
  const given = request.headers['idempotency-key'] as string;
  const length = lengthOf(given);
  if (length < 1 || length > LONGEST_KEY) {
    throw invalidField(
      'idempotency_key',
      length < 1 ? 'too_short' : 'too_long',
      `The idempotency key field must be between 1 and ${LONGEST_KEY} characters.`,
    );
  }
  return `${keeper} ${hashOf(given)}`;
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

/** HMAC-SHA256 of method, path with query and canonical body (decisions §4, §6). The body has been read. */
export function requestHash(request: Request, key: Buffer): string {
  const body = request.body === undefined ? '' : canonicalJson(request.body as Json);
  return createHmac('sha256', key)
    .update(`${request.method}\n${decodedPath(request)}\n${body}`)
    .digest('hex');
}
