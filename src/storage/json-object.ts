import type { ValueFormat } from './table.js';

/** JSON that nobody can change. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Objects as JSON texts. */
export const jsonFormat: ValueFormat<JsonObject> = {
  encode: JSON.stringify,
  decode: (text) => {
    const value = JSON.parse(text) as JsonObject;
    freeze(value);
    return value;
  },
  keptCharacters: 8_388_608,
};

/**
 * The object itself, frozen with all that it holds: it can be kept and handed to every reader without being copied,
 * which would cost as much as its JSON text. An object that its text would change (`undefined`, a `Date`) is copied by
 * way of the text.
 * @throws TypeError for what has no JSON text
 */
export function frozenJson<T extends object>(value: T): T {
  if (freeze(value)) return value;
  const copy = JSON.parse(JSON.stringify(value)) as T;
  freeze(copy);
  return copy;
}

/** @returns false, with part of it frozen, unless all of it is what its JSON text would give back */
function freeze(value: object): boolean {
  if (Object.isFrozen(value)) return true;
  const isArray = Array.isArray(value);
  if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members: readonly unknown[] = isArray ? value : Object.values(value);
  for (let place = 0; place < members.length; place += 1) {
    const member = members[place];
    if (typeof member === 'string' || member === null) continue;
    if (typeof member === 'object' ? !freeze(member) : !isExact(member)) return false;
  }
  Object.freeze(value);
  return true;
}

/** JSON has no NaN, no infinity and no -0. */
function isExact(value: unknown): boolean {
  return typeof value === 'boolean' || (Number.isFinite(value) && !Object.is(value, -0));
}
