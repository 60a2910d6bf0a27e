import { isDeepStrictEqual } from 'node:util';

/** The service did something that the demonstration did not foresee: it ends with a status other than 0. */
export class ExpectationError extends Error {
  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    this.name = 'ExpectationError';
  }
}

/** @throws ExpectationError where the two differ, at any depth. */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new ExpectationError(what, expected, actual);
}

/** The value, where it is there. @throws ExpectationError */
export function present<T>(what: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ExpectationError(what, 'a value', value);
  return value;
}
