import { hash } from 'node:crypto';
import type { Json } from './event-store.js';
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

/** Text that needs no escaping. This test is much cheaper than `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Size of the cache of quoted member names. */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

function quoteName(name: string): string {
  const quoted = `${quote(name)}:`;
  if (names.size < MOST_NAMES) names.set(name, quoted);
  return quoted;
}

/** Up to so many names an insertion sort is fastest: events have few members, mostly in order. */
const MOST_INSERTED = 24;

function sortedNames(members: object): string[] {
  const sorted = Object.keys(members);
  if (sorted.length > MOST_INSERTED) return sorted.sort();
  for (let next = 1; next < sorted.length; next += 1) {
    const name = sorted[next]!;
    let index = next;
    for (; index > 0 && sorted[index - 1]! > name; index -= 1) sorted[index] = sorted[index - 1]!;
    sorted[index] = name;
  }
  return sorted;
}

function write(value: Json, depth: number): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : String(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (depth === DEEPEST) throw new TooDeepError();
  return Array.isArray(value) ? writeArray(value, depth) : writeObject(value, depth);
}

function writeArray(values: readonly Json[], depth: number): string {
  let text = '[';
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ',';
    text += write(values[index] ?? null, depth + 1);
  }
  return text + ']';
}

function writeObject(members: { readonly [key: string]: Json | undefined }, depth: number): string {
  let text = '{';
  for (const key of sortedNames(members)) {
    const member = members[key];
    if (member === undefined) continue;
    if (text.length > 1) text += ',';
    text += names.get(key) ?? quoteName(key);
    // Saves a call for the most frequent kind of member.
    text += typeof member === 'string' && PLAIN.test(member) ? `"${member}"` : write(member, depth + 1);
  }
  return text + '}';
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
