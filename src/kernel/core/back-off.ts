/** In milliseconds. */
export interface BackOff {
  readonly first: number;
  readonly longest: number;
}

/** The pause after a number of failures in a row. It doubles each time, up to the longest. */
export function backOff(failures: number, { first, longest }: BackOff): number {
  return Math.min(first * 2 ** Math.min(failures - 1, 20), longest);
}
