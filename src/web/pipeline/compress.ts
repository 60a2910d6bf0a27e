import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';
import { contextOf } from '../request-context.js';
import { Answer } from './answer.js';

/** Shorter answers are not compressed, because they fit into a few packets. */
const LEAST_BYTES = 8 * 1_024;
/** A fast level, because each answer is compressed anew. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Supported encodings, the smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The smallest encoding that the request accepts; undefined if it accepts none. */
export function encodingFor(request: Request): Encoding | undefined {
  return ENCODINGS.find((encoding) => request.acceptsEncodings(encoding) !== false);
}

/** The answer compressed, if it is a long text, the route allows it and the client accepts it. Bytes are sent as they are. */
export async function compressed(request: Request, answer: Answer): Promise<Answer> {
  const { status, headers, body } = answer;
  const isLong = typeof body === 'string' && Buffer.byteLength(body) >= LEAST_BYTES;
  if (!isLong || contextOf(request)?.compresses !== true) return answer;
  const varying = { ...headers, Vary: 'Accept-Encoding' };
  const encoding = encodingFor(request);
  if (encoding === undefined) return new Answer(status, varying, body);
  const bytes = await (encoding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body));
  return new Answer(status, { ...varying, 'Content-Encoding': encoding }, bytes);
}
