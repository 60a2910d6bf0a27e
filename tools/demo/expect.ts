import { isDeepStrictEqual } from 'node:util';

/** The service did not do what the demonstration expects. */
export class ExpectationError extends Error {
  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
    this.name = 'ExpectationError';
  }
}

/** Compares deeply. @throws ExpectationError */
export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new ExpectationError(what, expected, actual);
}

/** @throws ExpectationError if the value is null or undefined */
export function present<T>(what: string, value: T | null | undefined): T {
  if (value === null || value === undefined) throw new ExpectationError(what, 'a value', value);
  return value;
}
