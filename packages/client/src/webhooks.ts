import type { components } from './generated/openapi.js';

type Schemas = components['schemas'];

/** A message of the service: an event, or a test that an operator sent. */
export type WebhookMessage = Schemas['WebhookMessage'] | Schemas['WebhookTestMessage'];

/** `Headers` of the web, or an object of headers as Node and Express have it. Names may be in any case. */
export type WebhookHeaders =
  { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookErrorCode =
  | 'missing_header'
  | 'malformed_header'
  /** The message is older than the tolerance. Somebody may have recorded it and sent it again. */
  | 'timestamp_too_old'
  /** The message is from the future. Set the clock of this machine. */
  | 'timestamp_too_new'
  /** The message was changed, or the secret is that of another webhook. */
  | 'no_matching_signature'
  /** The body was parsed before, or the signature is right and the body is no message of this service. */
  | 'malformed_body'
  /** The secret is not `whsec_` with base64 behind it. */
  | 'malformed_secret';

/** Why a message cannot be trusted. It contains neither the secret nor the message. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';

  constructor(
    /** Match this, never `message`. */
    readonly code: WebhookErrorCode,
    message: string,
  ) {
    super(message);
  }
}

export function isWebhookError(error: unknown): error is WebhookError {
  return error instanceof WebhookError;
}

export interface WebhookOptions {
  /** How far the message's timestamp may be from this machine's clock. */
  readonly toleranceSeconds?: number;
  /** Milliseconds. Absent: the clock of this machine. */
  readonly now?: number;
}

const TOLERANCE_SECONDS = 5 * 60;
const PREFIX = 'whsec_';
const VERSION = 'v1,';

/**
 * Checks a message by Standard Webhooks and reads it. While a secret is replaced, a message has two signatures: one that
 * fits is enough.
 * @param body as it came, unparsed: the signature covers its bytes
 * @param secret `whsec_…`, which the service showed once
 * @throws WebhookError
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: WebhookOptions = {},
): Promise<WebhookMessage> {
  const key = keyOf(secret);
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  assertFresh(timestamp, Math.floor(now / 1_000), toleranceSeconds);
  const bytes = bytesOf(body);
  const expected = VERSION + (await sign(key, `${id}.${timestamp}.`, bytes));
  if (!signatures.map((one) => isEqual(one, expected)).includes(true))
    throw new WebhookError('no_matching_signature', 'No signature fits the message and the secret.');
  return parseMessage(bytes);
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const key = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
    if (key.length > 0) return key;
  } catch {
    // The same answer as for an empty one.
  }
  throw new WebhookError('malformed_secret', `The secret must be "${PREFIX}" with base64 behind it.`);
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const value = isWebHeaders(headers) ? headers.get(name) : findHeader(headers, name);
  if (value === null || value === undefined || value === '')
    throw new WebhookError('missing_header', `The header ${name} is missing.`);
  if (typeof value !== 'string')
    throw new WebhookError('malformed_header', `The header ${name} came more than once.`);
  return value;
}

function isWebHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

function findHeader(headers: Exclude<WebhookHeaders, { get: unknown }>, name: string) {
  const found = Object.keys(headers).filter((key) => key.toLowerCase() === name);
  const values = found.flatMap((key) => headers[key] ?? []);
  return values.length < 2 ? values[0] : values;
}

function assertFresh(timestamp: string, now: number, tolerance: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookError('malformed_header', 'The header webhook-timestamp is not a number of seconds.');
  const age = now - Number(timestamp);
  if (age > tolerance)
    throw new WebhookError('timestamp_too_old', `The message is older than ${tolerance} seconds.`);
  if (age < -tolerance)
    throw new WebhookError(
      'timestamp_too_new',
      `The message is more than ${tolerance} seconds ahead of this machine's clock.`,
    );
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return body;
  // A framework has parsed it, which the compiler does not see in JavaScript.
  throw new WebhookError('malformed_body', 'Give the body as it came, as text or bytes, not parsed.');
}

/** Web Crypto is in Node, browsers and edge runtimes alike. */
async function sign(key: Uint8Array<ArrayBuffer>, head: string, body: Uint8Array): Promise<string> {
  const { subtle } = globalThis.crypto;
  const signing = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const beginning = new TextEncoder().encode(head);
  const content = new Uint8Array(beginning.length + body.length);
  content.set(beginning);
  content.set(body, beginning.length);
  return toBase64(new Uint8Array(await subtle.sign('HMAC', signing, content)));
}

/** Takes equally long wherever the texts differ. */
function isEqual(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let place = 0; place < one.length; place += 1)
    difference |= one.charCodeAt(place) ^ other.charCodeAt(place);
  return difference === 0;
}

function parseMessage(bytes: Uint8Array): WebhookMessage {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const message = JSON.parse(text) as Partial<WebhookMessage> | null;
    if (typeof message?.type === 'string' && isObject(message.data)) return message as WebhookMessage;
  } catch {
    // The same answer as for other JSON.
  }
  throw new WebhookError('malformed_body', 'The body is not a message of the Storage Access Service.');
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
