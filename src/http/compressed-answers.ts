import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** Bytes from which an answer is compressed: shorter ones fit into a few packets as they are. */
const LEAST_BYTES = 8 * 1_024;

const COMPRESSES = Symbol('Compresses');
type MarkedResponse = Response & { [COMPRESSES]?: boolean };

/** Says of an answer that it may be compressed; none other is. */
export function allowCompression(response: MarkedResponse): void {
  response[COMPRESSES] = true;
}

/** Compresses long answers for who accepts it, of routes that allow it. */
export function compressedAnswers(): RequestHandler {
  return compression({
    threshold: LEAST_BYTES,
    filter: (request, response: MarkedResponse) =>
      response[COMPRESSES] === true && compression.filter(request, response),
  });
}
