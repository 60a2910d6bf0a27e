import { isUtf8 } from 'node:buffer';
import { json } from 'express';
import { badRequest, payloadTooLarge, unsupportedMediaType } from './api-error.js';
import type { NextFunction, Request, Response } from 'express';

/** The largest body that is read, also after it was unpacked (decisions §2: "413 past 2 MB"). */
export const LARGEST_BODY = 2 * 1024 * 1024;

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

/** The client went away before its body had arrived. Nobody is left to answer, and nothing is at fault. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client went away.');
    this.name = 'ClientGoneError';
  }
}

class NotUtf8Error extends Error {
  readonly type = 'not_utf8';
}

const parse = json({
  limit: LARGEST_BODY,
  // The form is judged below: a number is well-formed JSON, only not an object.
  strict: false,
  type: () => true,
  verify: (_request, _response, bytes) => {
    // Decoding would put replacement characters in the place of what is no UTF-8, and two identifiers might become one.
    if (!isUtf8(bytes)) throw new NotUtf8Error();
  },
}) as (request: Request, response: Response, next: NextFunction) => void;

/** Whether a request announces a body of at least one byte, or of a length not known yet. */
function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/**
 * Reads the body, whatever JSON it is, into `request.body`, where there is one; otherwise nothing is waited for and undefined returned.
 * @throws ApiError 400, 413 or 415. @throws ClientGoneError
 */
export function readBody(request: Request, response: Response): Promise<void> | undefined {
  if (!hasBody(request)) return undefined;
  if (!JSON_TYPE.test(request.headers['content-type'] ?? '')) throw unsupportedMediaType();
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) throw payloadTooLarge();
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  });
}

/** @throws ApiError 400 for a body that is well-formed but no object. */
export function demandObject(request: Request): void {
  if (request.body !== undefined && !isObject(request.body)) throw badRequest('Invalid request structure.');
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

function refusalOf(error: unknown): Error {
  switch ((error as { type?: unknown }).type) {
    case 'entity.too.large':
      return payloadTooLarge();
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return unsupportedMediaType();
    case 'request.aborted':
      return new ClientGoneError();
    default:
      // Bad JSON, bad UTF-8, a broken compressed stream or a length that was not kept.
      return badRequest('Malformed JSON.');
  }
}
