import { hash } from 'node:crypto';
import type { Json, JsonObject } from './event-store.js';
import type { EventMetadata } from './domain-event.js';

/** Deeper values are refused, because the recursion would overflow the stack. */
const DEEPEST = 200;

/** The value is nested deeper than this service reads. */
export class TooDeepError extends Error {
  readonly code = 'too_deep';

  constructor() {
    super(`The value is nested deeper than ${DEEPEST} levels.`);
  }
}

/**
 * The canonical text of a JSON value by RFC 8785: members sorted by UTF-16 code units, no white space, numbers and strings
 * as `JSON.stringify` writes them. Undefined members are left out. `JSON.parse` reads `1e999` as infinity, which gets the
 * text `Infinity`. Storage format of the hash chain: never change.
 * @throws TooDeepError
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

function write(value: Json | undefined, depth: number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value ?? null);
  if (depth === DEEPEST) throw new TooDeepError();
  if (Array.isArray(value)) return `[${value.map((one) => write(one, depth + 1)).join()}]`;
  return writeObject(value, depth);
}

/** Text that needs no escaping. This test is much cheaper than `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/;

function writeObject(value: JsonObject, depth: number): string {
  let members = '';
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member === undefined) continue;
    const text = typeof member === 'string' && PLAIN.test(member) ? `"${member}"` : write(member, depth + 1);
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`;
  }
  return `{${members}}`;
}

/** The `previous_hash` of a stream's first event. */
export const NO_PREVIOUS_HASH = '0'.repeat(64);

export interface ChainedContent {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: object;
  readonly metadata: Omit<EventMetadata, 'hash'>;
}

/**
 * SHA-256 (hex) over an event's whole content and the hash of the event before it in the stream. An event that is
 * changed, removed or moved breaks the chain there.
 */
export function hashEvent(content: ChainedContent): string {
  const { id, stream, revision, type, data, metadata } = content;
  return hash('sha256', write({ data, id, metadata, revision, stream, type } as unknown as Json, 0));
}
