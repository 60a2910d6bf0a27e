/** Where two JSON values first differ, in words; undefined where they do not. */
export function firstDifference(found: unknown, expected: unknown, path = ''): string | undefined {
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined;
  if (isObject(found) && isObject(expected)) {
    for (const name of new Set([...Object.keys(found), ...Object.keys(expected)])) {
      const fault = firstDifference(found[name], expected[name], path === '' ? name : `${path}.${name}`);
      if (fault !== undefined) return fault;
    }
  }
  return `${path === '' ? 'it' : path} is ${JSON.stringify(found)}, should be ${JSON.stringify(expected)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An object without some of its members. */
export function without<T extends object, Name extends keyof T>(
  whole: T,
  ...names: readonly Name[]
): Omit<T, Name> {
  const kept = Object.entries(whole).filter(([name]) => !names.includes(name as Name));
  return Object.fromEntries(kept) as Omit<T, Name>;
}
