const LARGEST = 2n ** 63n - 1n;

/** Whether a number can be a position of the log: from 0 to 2^63 - 1. A server may say "before everything" with another. */
export function isPosition(value: bigint | undefined): value is bigint {
  return value !== undefined && value >= 0n && value <= LARGEST;
}
