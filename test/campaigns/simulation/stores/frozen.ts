/**
 * A copy by way of JSON, as a store's would be, that nobody can change: it can be handed to every reader as it is, and
 * whoever writes to what he read is told so.
 */
export function frozenCopy<T>(value: T): T {
  return Object.isFrozen(value) ? value : freeze(JSON.parse(JSON.stringify(value)) as T);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
