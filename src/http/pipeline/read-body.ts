import { FIXES } from '../error-codes.js';
import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { raw, type NextFunction, type Request, type Response } from 'express';
import { errorOf, RequestEndedError } from '../api-error.js';
import { isObject } from '../validation/valid.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

interface JsonBounds {
  /** Most levels of objects and arrays. */
  readonly depth: number;
  /** Most members and elements in all. */
  readonly values: number;
}

/**
 * Whether a JSON text (UTF-8) exceeds its bounds. Checked byte by byte before parsing, because deep nesting or a million
 * empty arrays would cost the parser seconds.
 */
export function isBeyond(text: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    switch (text[index]!) {
      case QUOTE:
        index = endOfString(text, index);
        break;
      case ARRAY:
      case OBJECT:
        depth += 1;
        values += 1;
        break;
      case ARRAY_END:
      case OBJECT_END:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
    }
    if (depth > bounds.depth || values > bounds.values) return true;
  }
  return false;
}

/** The index of the quote that ends the string at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < text.length && text[index] !== QUOTE) index += text[index] === BACKSLASH ? 2 : 1;
  return index;
}

/** Bytes, also after decompression (decisions §2: "413 past 2 MB"). */
export const LARGEST_BODY = 2 * 1024 * 1024;
/** Bytes, for routes without a credential or without a body. Such a body must not be compressed. */
const LARGEST_SMALL_BODY = 8 * 1024;
/** A bulk of 500 complete units has about 12,000 values. */
const BOUNDS = { depth: 64, values: 50_000 } as const;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

type Read = (request: Request, response: Response, next: NextFunction) => void;

const readAny = raw({ limit: LARGEST_BODY, type: () => true }) as Read;
const readSmall = raw({ limit: LARGEST_SMALL_BODY, inflate: false, type: () => true }) as Read;

/** Whether the headers announce a body, perhaps of unknown length. */
function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Bytes. Only few bodies of at least this size are read at once for one caller. */
const LARGE = 64 * 1024;

/** Whether a body is or may be large: a compressed body, or one of unknown length, may have any size. */
export function hasLargeBody({ headers }: Request): boolean {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > LARGE;
}

/**
 * Reads the body, if there is one, into `request.body`. Returns undefined without a body.
 * @param isSmall true: the route needs no credential, or takes no body
 * @param isForm true: the body is a form; a repeated field becomes a list
 * @throws ApiError 400, 413 or 415. @throws RequestEndedError
 */
export function readBody(
  request: Request,
  response: Response,
  isSmall: boolean,
  isForm = false,
): Promise<void> | undefined {
  if (!hasBody(request)) return undefined;
  if (!(isForm ? FORM_TYPE : JSON_TYPE).test(request.headers['content-type'] ?? ''))
    throw unsupportedMediaType();
  const [read, largest] = isSmall ? [readSmall, LARGEST_SMALL_BODY] : [readAny, LARGEST_BODY];
  if (Number(request.headers['content-length'] ?? 0) > largest) throw errorOf('payload_too_large');
  return new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  }).then(() => {
    const bytes = request.body as Buffer | undefined;
    // The connection was closed before the body arrived.
    if (bytes === undefined) throw new RequestEndedError();
    request.body = isForm ? formOf(bytes) : parse(bytes);
  });
}

const BYTE_ORDER_MARK = '\ufeff';

/** @throws ApiError 400 */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  // Decoding would replace invalid bytes, so that two different identifiers could become equal.
  if (!isUtf8(bytes)) throw errorOf('malformed_json');
  if (isBeyond(bytes, BOUNDS)) throw errorOf('invalid_request');
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as unknown;
  } catch {
    throw errorOf('malformed_json');
  }
}

/** @throws ApiError 400 for a body that is not an object */
export function demandObject(request: Request): void {
  const { body } = request as { body: unknown };
  if (body === undefined || isObject(body)) return;
  const hint = Array.isArray(body)
    ? 'Put the list into an object: a bulk is {"units": […]}.'
    : 'Send a JSON object.';
  throw errorOf('invalid_request', { hint });
}

const MOST_FIELDS = 2_000;

function formOf(bytes: Buffer): object {
  return parseForm(bytes.toString('utf8'), undefined, undefined, { maxKeys: MOST_FIELDS });
}

function unsupportedMediaType(): Error {
  return errorOf('unsupported_media_type', { hint: FIXES.unsupported_media_type });
}

function refusalOf(error: unknown): Error {
  switch ((error as { type?: unknown }).type) {
    case 'entity.too.large':
      return errorOf('payload_too_large');
    case 'encoding.unsupported':
      return unsupportedMediaType();
    case 'request.aborted':
      return new RequestEndedError();
    default:
      // A broken compressed stream, or fewer bytes than announced.
      return errorOf('malformed_json');
  }
}
