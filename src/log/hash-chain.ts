import { hash } from 'node:crypto';
import type { Json } from './event-store.js';
import type { EventMetadata } from './domain-event.js';

/** Deeper values than this are refused: recursion must end before the stack does. */
const DEEPEST = 200;

/** The value is nested deeper than this service reads. */
export class TooDeepError extends Error {
  readonly code = 'too_deep';

  constructor() {
    super(`The value is nested deeper than ${DEEPEST} levels.`);
    this.name = 'TooDeepError';
  }
}

/**
 * The one text of a JSON value: members sorted by UTF-16 code units, no white space, numbers and strings as
 * `JSON.stringify` writes them (the rules of RFC 8785). Members that are undefined are left out. A number that is not
 * finite, as which JSON reads `1e999`, is no JSON: its text is one that no other value has.
 * Storage format of the event hash chain: never change.
 * @throws TooDeepError
 */
export function canonicalJson(value: Json): string {
  return write(value, 0);
}

/** Text that stands between quotes as it is; telling that is much cheaper than a call of `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Names of members are few and come again with every event. */
const MOST_NAMES = 1_000;
const names = new Map<string, string>();

function quoteName(name: string): string {
  const quoted = `${quote(name)}:`;
  if (names.size < MOST_NAMES) names.set(name, quoted);
  return quoted;
}

/** Events have few members, mostly in order: for those, inserting each in its place is the quickest. */
const MOST_INSERTED = 24;

function sortedNames(members: object): string[] {
  const sorted = Object.keys(members);
  if (sorted.length > MOST_INSERTED) return sorted.sort();
  for (let next = 1; next < sorted.length; next += 1) {
    const name = sorted[next]!;
    let place = next;
    for (; place > 0 && sorted[place - 1]! > name; place -= 1) sorted[place] = sorted[place - 1]!;
    sorted[place] = name;
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
    // Most members are plain texts.
    text += typeof member === 'string' && PLAIN.test(member) ? `"${member}"` : write(member, depth + 1);
  }
  return text + '}';
}

/** The first event of a stream links to this. */
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
 * SHA-256 (hex) over the hash of the event before it in the stream, which its metadata carries, and everything else
 * that the event says. Changing, removing or moving an event breaks the chain at that event.
 */
export function hashEvent(content: ChainedContent): string {
  const { id, stream, revision, type, data, metadata } = content;
  return hash('sha256', write({ data, id, metadata, revision, stream, type } as unknown as Json, 0));
}
