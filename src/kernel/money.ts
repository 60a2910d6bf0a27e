/** The largest amount that a fact may hold, in either direction (decisions §2). */
export const LARGEST_AMOUNT = 9_999_999_999.99;

/**
 * Whether a number is the double nearest to a decimal with at most two places. `0.1 + 0.2` is not: the client must correct
 * such an error, because we never round amounts. Exact below 2^53 / 100.
 */
export function hasWholeCents(amount: number): boolean {
  return Math.round(amount * 100) / 100 === amount;
}

/** An amount as integer cents; minus zero becomes zero. @throws RangeError for an amount that `IsMoney` refuses */
export function toCents(amount: number): number {
  if (!hasWholeCents(amount) || Math.abs(amount) > LARGEST_AMOUNT) {
    throw new RangeError('An amount of money has at most 2 decimal places.');
  }
  return Math.round(amount * 100) + 0;
}

/** Integer cents as a decimal amount of the API. */
export function fromCents(cents: number): number {
  return cents / 100;
}
