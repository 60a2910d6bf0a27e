import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import type { Logger } from '../../config/logger.js';
import { errorBody, serviceUnavailable } from '../api-error.js';
import { contextOf } from '../request-context.js';
import type { StoredAnswer } from './idempotency-record.js';
import type { Reservation } from './reservation.js';

/**
 * Whether the client has the answer already (RFC 9110, If-None-Match: a list, compared weakly, or `*`).
 * @param known the header; undefined if there is none
 * @param entity_tag of the answer, weak or strong
 */
export function isKnown(known: string | undefined, entity_tag: string): boolean {
  if (known === undefined) return false;
  const wanted = withoutWeakness(entity_tag);
  return known
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || withoutWeakness(tag) === wanted);
}

function withoutWeakness(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

/** The body of a successful answer without data (decisions §2). */
export interface Acknowledgement {
  readonly message: string;
}

export interface Envelope<T> extends Acknowledgement {
  readonly data: T;
}

/** The result of a route's handler. */
export type DataOf<Handler extends (...given: never[]) => Promise<Envelope<unknown>>> = Awaited<
  ReturnType<Handler>
>['data'];

export function envelope(): Acknowledgement;
export function envelope(data: undefined, message: string): Acknowledgement;
export function envelope<T>(data: T, message?: string): Envelope<T>;
export function envelope<T>(data?: T, message = 'Request successful.'): Acknowledgement | Envelope<T> {
  return data === undefined ? { message } : { message, data };
}

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

const CREATED = 201;

/** Headers that are stored with an answer. The others are made for each response. */
const STORED_HEADERS = ['content-type', 'location', 'retry-after'];

type Body = string | Buffer | undefined;
type Send = (response: Response, body: Body) => void;

/**
 * Replaces `response.send`, the last step of every request. It stores the answer under the request's key, then compresses
 * and sends it, unless the deadline has answered already. Before it, `response.json` sets the header `Location` of a 201.
 */
export function installAnswerStep({ response: prototype }: Express, logger: Logger): void {
  const { send: express, json } = prototype;
  prototype.json = function (this: Response, body?: unknown) {
    const template = contextOf(this.req)?.created;
    if (template !== undefined && this.statusCode === CREATED)
      this.setHeader('Location', locationOf(template, this.req, body as Envelope<object>));
    return json.call(this, body);
  };
  const send: Send = (response, body) => void express.call(response, body);
  prototype.send = function (this: Response, body?: unknown) {
    // Express converts other bodies to text and calls this method again.
    if (body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body))
      return express.call(this, body);
    const reservation = contextOf(this.req)?.reservation;
    if (reservation === undefined) compressed(this, body, send);
    else void storeThenSend(this, reservation, body, send, logger);
    return this;
  };
}

/** @param template the path, with placeholders for path parameters and fields of the data */
function locationOf(template: string, { params }: Request, { data }: Envelope<object>): string {
  const known: Readonly<Record<string, unknown>> = { ...params, ...data };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(known[name])));
}

/** Sends the answer that was stored under the request's key. */
export function replay(response: Response, answer: StoredAnswer): void {
  response.setHeader('Idempotency-Replayed', 'true');
  restore(response, answer);
  response.send(answer.body);
}

/** Stores the answer before it is sent. If that fails, the client gets 503, and its retry finds the work in the log. */
async function storeThenSend(
  response: Response,
  reservation: Reservation,
  body: Body,
  send: Send,
  logger: Logger,
): Promise<void> {
  // Routes with keys answer only JSON, which is text here.
  const answer = answerOf(response, typeof body === 'string' ? body : '');
  try {
    const lasting = withoutSecret(answer, contextOf(response.req)?.secret);
    const stored = await keep(reservation, lasting);
    if (stored !== lasting) restore(response, stored);
    compressed(response, stored === lasting ? answer.body : stored.body, send);
  } catch (error) {
    const request_id = contextOf(response.req)?.request_id;
    logger.warn({ request_id, error }, 'An answer could not be kept for retries.');
    response.status(503).setHeader('Retry-After', '1');
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    send(response, JSON.stringify(errorBody(serviceUnavailable())));
  }
}

/**
 * Stores every answer except 429 and 5xx, after which a retry must execute (decisions §4). Also not 401: the caller lost
 * its rights meanwhile, and another caller of the company may use the key.
 */
async function keep(reservation: Reservation, answer: StoredAnswer): Promise<StoredAnswer> {
  if (answer.status < 500 && answer.status !== 429 && answer.status !== 401)
    return reservation.answer(answer);
  await reservation.abandon();
  return answer;
}

/** A secret is shown only once, so the stored answer does not contain it (decisions §6). */
function withoutSecret(answer: StoredAnswer, secret: string | undefined): StoredAnswer {
  if (secret === undefined || answer.status >= 300) return answer;
  const { message, data } = JSON.parse(answer.body) as { readonly message: string; readonly data: object };
  const note = `${message} The ${secret} was only in the first answer.`;
  return { ...answer, body: JSON.stringify({ message: note, data: { ...data, [secret]: null } }) };
}

function answerOf(response: Response, body: string): StoredAnswer {
  const headers: Record<string, string> = {};
  for (const name of STORED_HEADERS) {
    const value = response.getHeader(name);
    if (value !== undefined) headers[name] = String(value);
  }
  return { status: response.statusCode, headers, body };
}

function restore(response: Response, { status, headers }: StoredAnswer): void {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Sends the body, compressed if the route allows it, the client accepts it and it is long. */
function compressed(response: Response, body: Body, send: Send): void {
  const isLong = body !== undefined && Buffer.byteLength(body) >= LEAST_BYTES;
  if (!isLong || contextOf(response.req)?.compresses !== true) return send(response, body);
  response.vary('Accept-Encoding');
  const encoding = encodingFor(response.req);
  if (encoding === undefined) return send(response, body);
  // Without a type, Express would send bytes as a download.
  if (response.getHeader('Content-Type') === undefined) response.type('html');
  const compressing = encoding === 'br' ? promisify(brotliCompress)(body, BROTLI) : promisify(gzip)(body);
  compressing
    .then((bytes) => {
      response.setHeader('Content-Encoding', encoding);
      send(response, bytes);
    })
    .catch(() => response.destroy());
}
