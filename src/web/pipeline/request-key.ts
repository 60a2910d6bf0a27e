import { createHmac, type KeyObject } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { hashOf } from '#kernel/credential-hash.js';
import { canonicalJson } from '#eventsourcing/log/canonical-json.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { codePoints } from '../validation/rules.js';
import type { Json } from '#eventsourcing/log/event-store.js';
import type { Request } from 'express';

const LONGEST_KEY = 255;

/**
 * The `_id` of the record of an `Idempotency-Key`: its owner and the key's hash, because a key may contain anything.
 * @throws ApiError 422 for a key of a wrong length, and for two keys
 */
export function recordIdOf(request: Request, owner: string): string {
  assertSoundKey(request);
  return `${owner} ${hashOf(keyOf(request))}`;
}

/** The owner in the `_id` of a record. */
export function ownerOfRecord(record_id: string): string {
  return record_id.slice(0, record_id.lastIndexOf(' '));
}

/** @throws ApiError 422 for a key of a wrong length, and for two keys */
export function assertSoundKey(request: Request): void {
  // Node joins repeated headers into one text, so that different requests could have the same key.
  if (timesSent(request) > 1) {
    throw invalidField('idempotency_key', 'duplicate', 'The idempotency key field must be given only once.');
  }
  const length = lengthOf(keyOf(request));
  if (length < 1 || length > LONGEST_KEY) {
    throw invalidField(
      'idempotency_key',
      length < 1 ? 'too_short' : 'too_long',
      `The idempotency key field must be between 1 and ${LONGEST_KEY} characters.`,
    );
  }
}

function keyOf({ headers }: Request): string {
  return headers['idempotency-key'] as string;
}

function timesSent({ rawHeaders }: Request): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'idempotency-key')
    .length;
}

/** The number of characters. Node decodes headers as Latin-1, but clients usually send UTF-8. */
function lengthOf(header: string): number {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? codePoints(bytes.toString('utf8')) : header.length;
}

/** Different encodings of one path are the same request. An encoded `/` stays different from a separator. */
function decodedPath({ originalUrl }: Request): string {
  const [path, ...query] = originalUrl.split('?');
  const segments = path!.split('/').map((segment) => encodeURIComponent(decodeURIComponent(segment)));
  return [segments.join('/'), ...query].join('?');
}

/**
 * HMAC-SHA256 of method, path with query and canonical body (decisions §4, §6). The body has been read.
 * @param key Node would make a buffer into such a key at each request, in 10 µs
 */
export function requestHash(request: Request, key: KeyObject): string {
  const body = request.body === undefined ? '' : canonicalJson(request.body as Json);
  return createHmac('sha256', key)
    .update(`${request.method}\n${decodedPath(request)}\n${body}`)
    .digest('hex');
}
