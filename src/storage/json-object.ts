import type { ValueFormat } from './table.js';

/** JSON that nobody can change. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Objects as JSON texts. */
export const jsonFormat: ValueFormat<JsonObject> = {
  encode: (value) => JSON.stringify(value),
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
function freeze(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || Object.isFrozen(value) || freezeMembers(value);
    default:
      return false;
  }
}

function freezeMembers(value: object): boolean {
  if (Array.isArray(value)) {
    for (let place = 0; place < value.length; place += 1) if (!freeze(value[place])) return false;
  } else {
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const name in value) if (!freeze(value[name as keyof typeof value])) return false;
  }
  Object.freeze(value);
  return true;
}
