const LARGEST = 2n ** 63n - 1n;

/** True for a position of the log, 0 to 2^63 - 1. A server may use other numbers to mean "before everything". */
export function isPosition(value: bigint | undefined): value is bigint {
  return value !== undefined && value >= 0n && value <= LARGEST;
}
