import compression from 'compression';
import type { Express, Response } from 'express';

/** Bytes from which an answer is compressed: shorter ones fit into a few packets as they are. */
const LEAST_BYTES = 8 * 1_024;
/** A character is three bytes at the most, of those that one unit of UTF-16 holds. */
const MOST_BYTES_A_CHARACTER = 3;

const COMPRESSES = Symbol('Compresses');
type MarkedResponse = Response & { [COMPRESSES]?: boolean };

/** Says of an answer that it may be compressed; none other is. */
export function allowCompression(response: MarkedResponse): void {
  response[COMPRESSES] = true;
}

/** Compresses long answers for who accepts it, of routes that allow it. What is no long answer costs nothing. */
export function compressAnswers({ response }: Express): void {
  const compress = compression({ threshold: LEAST_BYTES });
  // All that is long is sent by it.
  const { send } = response;
  response.send = function (this: MarkedResponse, body?: unknown) {
    if (this[COMPRESSES] === true && mayBeLong(body)) compress(this.req, this, () => undefined);
    return send.call(this, body);
  };
}

function mayBeLong(body: unknown): boolean {
  if (typeof body === 'string') return body.length * MOST_BYTES_A_CHARACTER >= LEAST_BYTES;
  return Buffer.isBuffer(body) && body.length >= LEAST_BYTES;
}
