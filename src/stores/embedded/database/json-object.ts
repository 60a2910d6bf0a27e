import type { ValueFormat } from './table.js';

/** A JSON object that nobody may change; frozen if it is in the cache. */
export type FrozenObject = Readonly<Record<string, unknown>>;

export const jsonFormat: ValueFormat<FrozenObject> = {
  encode: JSON.stringify,
  decode: (text) => JSON.parse(text) as FrozenObject,
  share: freeze,
  cache: { characters: 8_388_608, largeCharacters: 33_554_432 },
};

/**
 * Freezes an object and all its members, so that the cache can give it to every reader without a copy. An object that
 * JSON would change (`undefined`, a `Date`) is replaced by what its JSON text contains.
 * @throws TypeError for a value without a JSON text
 */
export function frozenJson<T extends object>(value: T): T {
  if (freeze(value)) return value;
  const copy = JSON.parse(JSON.stringify(value)) as T;
  freeze(copy);
  return copy;
}

/** @returns false if JSON would change the value; a part of it may then be frozen */
function freeze(value: object): boolean {
  if (Object.isFrozen(value)) return true;
  const isArray = Array.isArray(value);
  if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members: readonly unknown[] = isArray ? value : Object.values(value);
  for (const member of members) {
    const isKept = typeof member === 'object' && member !== null ? freeze(member) : isExact(member);
    if (!isKept) return false;
  }
  Object.freeze(value);
  return true;
}

/** Whether JSON gives a primitive value back as it was. JSON has no NaN, no infinity and no -0. */
function isExact(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  return Number.isFinite(value) && !Object.is(value, -0);
}
