import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { raw, type NextFunction, type Request, type Response } from 'express';
import {
  invalidStructure,
  malformedJson,
  payloadTooLarge,
  RequestEndedError,
  unsupportedMediaType,
} from '../api-error.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** The bounds of a JSON text. */
interface JsonBounds {
  /** Objects and arrays inside each other. */
  readonly depth: number;
  /** Members and elements in all. */
  readonly values: number;
}

/**
 * Whether a JSON text (UTF-8) holds more than it may. Looked at before it is parsed, byte by byte and no further than
 * there: what is nested without end, or made of a million empty arrays, costs a parser and whoever reads its result seconds.
 */
export function isBeyond(text: Uint8Array, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let place = 0; place < text.length; place += 1) {
    switch (text[place]!) {
      case QUOTE:
        place = endOfString(text, place);
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

/** The place of the quote that ends the string begun at `start`, or the end of the text. */
function endOfString(text: Uint8Array, start: number): number {
  let place = start + 1;
  while (place < text.length && text[place] !== QUOTE) place += text[place] === BACKSLASH ? 2 : 1;
  return place;
}

/** The largest body that is read, also after it was unpacked (decisions §2: "413 past 2 MB"). */
export const LARGEST_BODY = 2 * 1024 * 1024;
/** The same where no credential is asked for, or nothing is taken from it: it is small and not compressed. */
const LARGEST_SMALL_BODY = 8 * 1024;
/** Far beyond anything that the service takes: a bulk of 500 whole units has some 12,000 values. */
const BOUNDS = { depth: 64, values: 50_000 } as const;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

type Read = (request: Request, response: Response, next: NextFunction) => void;

const readAny = raw({ limit: LARGEST_BODY, type: () => true }) as Read;
const readSmall = raw({ limit: LARGEST_SMALL_BODY, inflate: false, type: () => true }) as Read;

/** Whether a request announces a body of at least one byte, or of a length not known yet. */
function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** A body of at least so many bytes is read in turn with the caller's others. */
const LARGE = 64 * 1024;

/** Whether a body is large, or may be: one that is compressed, or of no known length, may be of any. */
export function isLarge({ headers }: Request): boolean {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > LARGE;
}

/**
 * Reads the body, whatever JSON it is, into `request.body`, where there is one; otherwise nothing is waited for and undefined returned.
 * @param isSmall the route asks for no credential, or takes no body.
 * @param isForm it is a form's fields instead, each a text or, where it was there repeatedly, a list of them.
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
  if (Number(request.headers['content-length'] ?? 0) > largest) throw payloadTooLarge();
  return new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  }).then(() => {
    const bytes = request.body as Buffer | undefined;
    // The connection was closed before anything was read: there is nothing to refuse.
    if (bytes === undefined) throw new RequestEndedError();
    request.body = isForm ? formOf(bytes) : parse(bytes);
  });
}

const BYTE_ORDER_MARK = '\ufeff';

/** @throws ApiError 400 */
function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  // Decoding would put replacement characters in the place of what is no UTF-8, and two identifiers might become one.
  if (!isUtf8(bytes)) throw malformedJson();
  if (isBeyond(bytes, BOUNDS)) throw invalidStructure();
  const text = bytes.toString('utf8');
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text) as unknown;
  } catch {
    throw malformedJson();
  }
}

/** @throws ApiError 400 for a body that is well-formed but no object. */
export function demandObject(request: Request): void {
  const { body } = request as { body: unknown };
  if (body === undefined || isObject(body)) return;
  throw invalidStructure(
    Array.isArray(body) ? 'Put the list into an object: a bulk is {"units": […]}.' : 'Send a JSON object.',
  );
}

function isObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

const MOST_FIELDS = 2_000;

function formOf(bytes: Buffer): object {
  return parseForm(bytes.toString('utf8'), undefined, undefined, { maxKeys: MOST_FIELDS });
}

function refusalOf(error: unknown): Error {
  switch ((error as { type?: unknown }).type) {
    case 'entity.too.large':
      return payloadTooLarge();
    case 'encoding.unsupported':
      return unsupportedMediaType();
    case 'request.aborted':
      return new RequestEndedError();
    default:
      // A broken compressed stream or a length that was not kept.
      return malformedJson();
  }
}
