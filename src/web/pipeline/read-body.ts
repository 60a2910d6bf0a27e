import { FIXES } from '#kernel/errors/error-codes.js';
import { isUtf8 } from 'node:buffer';
import { parse as parseForm } from 'node:querystring';
import { raw, type NextFunction, type Request, type Response } from 'express';
import { errorOf, RequestEndedError } from '#kernel/errors/api-error.js';
import { isObject } from '#kernel/core/is-object.js';
import { contextOf } from '../request-context.js';
import { JsonBeyondBoundsError, JsonSyntaxError, parseInParts } from '#kernel/json-in-parts.js';
import { runYielding } from '#kernel/yielder.js';
import { TURNS } from '#kernel/turns.js';
import { jsonFaultIn } from './json-fault.js';

/** Also after decompression (decisions §2: "413 past 2 MB"). */
export const LARGEST_BODY_BYTES = 2 * 1024 * 1024;
/** For routes without a credential or without a body. Such a body must not be compressed. */
const LARGEST_SMALL_BODY_BYTES = 8 * 1024;
/** A bulk of 500 complete units has about 12,000 values. */
const BOUNDS = { depth: 64, values: 50_000 } as const;

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;
const PARTS_TYPE = /^multipart\/form-data[ \t]*(?:;|$)/i;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i;

/** `any_form`: a form in parts is taken, too, and counts as an empty one. */
export type BodyKind = 'json' | 'form' | 'any_form';

type Read = (request: Request, response: Response, next: NextFunction) => void;

const readAny = raw({ limit: LARGEST_BODY_BYTES, type: () => true }) as Read;
const readSmall = raw({ limit: LARGEST_SMALL_BODY_BYTES, inflate: false, type: () => true }) as Read;

/** Whether the headers announce a body, perhaps of unknown length. */
function hasBody(request: Request): boolean {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Only few bodies of at least this size are read at once for one caller. */
const LARGE_BODY_BYTES = 64 * 1024;

/** Whether a body is or may be large: a compressed body, or one of unknown length, may have any size. */
export function hasLargeBody({ headers }: Request): boolean {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return true;
  return Number(headers['content-length'] ?? 0) > LARGE_BODY_BYTES;
}

/**
 * Reads the body, if there is one, into `request.body`.
 * @param isSmall true: the route needs no credential, or takes no body
 * @param kind of a form, a repeated field becomes a list
 * @returns its bytes after decompression; undefined without a body
 * @throws ApiError 400, 413 or 415. @throws RequestEndedError
 */
export function readBody(
  request: Request,
  response: Response,
  isSmall: boolean,
  kind: BodyKind = 'json',
): Promise<number> | undefined {
  if (!hasBody(request)) return undefined;
  const parseBytes = parserOf(kind, request.headers['content-type'] ?? '');
  if (parseBytes === undefined) throw unsupportedMediaType();
  const [read, largest] = isSmall ? [readSmall, LARGEST_SMALL_BODY_BYTES] : [readAny, LARGEST_BODY_BYTES];
  if (Number(request.headers['content-length'] ?? 0) > largest) throw errorOf('payload_too_large');
  return new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(refusalOf(error));
    });
  }).then(async () => {
    const bytes = request.body as Buffer | undefined;
    // The connection was closed before the body arrived.
    if (bytes === undefined) throw new RequestEndedError();
    const principal = contextOf(request)?.principal;
    if (principal !== undefined) TURNS.enter(principal.id);
    // Many large bodies may have arrived at once.
    if (bytes.length > LARGE_BODY_BYTES) await TURNS.next();
    request.body = await parseBytes(bytes);
    return bytes.length;
  });
}

/** Undefined: a body of this type is refused. */
function parserOf(kind: BodyKind, type: string): ((bytes: Buffer) => unknown) | undefined {
  if (kind === 'json') return JSON_TYPE.test(type) ? parse : undefined;
  if (FORM_TYPE.test(type)) return formOf;
  return kind === 'any_form' && PARTS_TYPE.test(type) ? () => ({}) : undefined;
}

const BYTE_ORDER_MARK = '\ufeff';

/** @throws ApiError 400 */
async function parse(bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  try {
    return await runYielding(parseInParts(bytes, BOUNDS));
  } catch (error) {
    if (error instanceof JsonBeyondBoundsError) throw errorOf('invalid_request');
    if (error instanceof JsonSyntaxError) throw malformedJson(hintAtFault(bytes));
    throw error;
  }
}

/** Names the place alone: what stands there may be personal. */
function hintAtFault(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return 'The body is not UTF-8.';
  const text = bytes.toString('utf8');
  const fault = jsonFaultIn(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  if (fault === undefined) return undefined;
  const place = `line ${fault.line}, column ${fault.column}`;
  return fault.isEnd ? `The JSON ends too early, at ${place}.` : `The JSON is invalid at ${place}.`;
}

function malformedJson(hint: string | undefined): Error {
  return errorOf('malformed_json', { hint });
}

/** @throws ApiError 400 for a body that is not an object */
export function assertObject(request: Request): void {
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
      return malformedJson('The body is shorter than its length says, or its compression is broken.');
  }
}
