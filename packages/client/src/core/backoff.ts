/** Limits of repetitions. Times are milliseconds. */
export interface RetryPolicy {
  /** Most requests, the first included. */
  readonly attempts: number;
  /** The pause before the second request. Each later pause doubles. */
  readonly first_pause: number;
  readonly longest_pause: number;
  /** The client does not wait for a longer `Retry-After`. */
  readonly patience: number;
}

export const USUAL_RETRIES: RetryPolicy = {
  attempts: 5,
  first_pause: 500,
  longest_pause: 30_000,
  patience: 120_000,
};

/**
 * The pause after a failed request; undefined: give up.
 *
 * @param failed the number of failed requests, from 1
 * @param asked `Retry-After`, if the answer has it
 * @param chance random, in [0, 1): spreads clients that failed at the same time
 */
export function pauseAfter(
  failed: number,
  asked: number | undefined,
  policy: RetryPolicy,
  chance: number,
): number | undefined {
  if (failed >= policy.attempts) return undefined;
  const grown = Math.min(policy.first_pause * 2 ** (failed - 1), policy.longest_pause);
  // The random part is added to `Retry-After`, so that the request is never too early.
  if (asked !== undefined) return asked > policy.patience ? undefined : asked + policy.first_pause * chance;
  return grown * (0.5 + chance / 2);
}
