/** Stands for what an answer in the documentation leaves out. */
const LEFT_OUT = '…';

/**
 * Paths where an answer differs from the shown one. Members must be the same, unless the shown object has a member
 * `…`. The text `…` stands for any value.
 */
export function differences(shown: unknown, actual: unknown, path = 'answer'): string[] {
  if (shown === LEFT_OUT) return actual === undefined ? [`${path} is missing`] : [];
  if (Array.isArray(shown) && Array.isArray(actual) && shown.length === actual.length) {
    return shown.flatMap((one, place) => differences(one, actual[place], `${path}.${place}`));
  }
  if (isRecord(shown) && isRecord(actual)) return ofMembers(shown, actual, path);
  return Object.is(shown, actual) ? [] : [`${path} is ${JSON.stringify(actual)}`];
}

function ofMembers(shown: Record<string, unknown>, actual: Record<string, unknown>, path: string): string[] {
  const names = Object.keys(shown).filter((name) => name !== LEFT_OUT);
  const hidden = LEFT_OUT in shown ? [] : Object.keys(actual).filter((name) => !(name in shown));
  return [
    ...names.flatMap((name) => differences(shown[name], actual[name], `${path}.${name}`)),
    ...hidden.map((name) => `${path}.${name} is not shown`),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
