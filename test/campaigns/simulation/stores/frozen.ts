/** A frozen copy by way of JSON, as a store makes it. All readers share it, and an attempt to change it throws. */
export function frozenCopy<T>(value: T): T {
  return Object.isFrozen(value) ? value : freeze(JSON.parse(JSON.stringify(value)) as T);
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
