import type { Json, JsonObject } from './event-store.js';

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

function writeObject(value: JsonObject, depth: number): string {
  const members = Object.keys(value)
    .sort()
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${write(value[name], depth + 1)}`);
  return `{${members.join()}}`;
}
