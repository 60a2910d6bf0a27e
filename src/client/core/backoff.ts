/** How often and how long a client goes on asking. Times are milliseconds. */
export interface RetryPolicy {
  /** Requests at most, the first included. */
  readonly attempts: number;
  /** The pause before the second request, which doubles from one to the next. */
  readonly first_pause: number;
  readonly longest_pause: number;
  /** A `Retry-After` beyond this is not waited for. */
  readonly patience: number;
}

export const USUAL_RETRIES: RetryPolicy = {
  attempts: 5,
  first_pause: 500,
  longest_pause: 30_000,
  patience: 120_000,
};

/**
 * The pause after a failed request; undefined where it is not worth waiting.
 *
 * @param failed how many requests have failed, from 1
 * @param asked what `Retry-After` asks for; undefined where it says nothing
 * @param chance in [0, 1): clients that failed together do not come back together
 */
export function pauseAfter(
  failed: number,
  asked: number | undefined,
  policy: RetryPolicy,
  chance: number,
): number | undefined {
  if (failed >= policy.attempts) return undefined;
  const grown = Math.min(policy.first_pause * 2 ** (failed - 1), policy.longest_pause);
  // Never earlier than asked: what jitters comes on top.
  if (asked !== undefined) return asked > policy.patience ? undefined : asked + policy.first_pause * chance;
  return grown * (0.5 + chance / 2);
}
