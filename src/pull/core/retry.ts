import { backOff } from '#kernel/core/back-off.js';

const WAITS = { first: 1_000, longest: 30_000 };
/** The most tries of one page in a run. */
export const MOST_TRIES = 4;
/** If a server asks for a longer pause, the run fails, and the next run tries again. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait before the next try of a page. Undefined: no more try in this run. The wait doubles with each try. Half
 * of it is random, so that requests which failed together are not repeated together.
 * @param tries so far @param chance from 0 to 1 @param retryAfter milliseconds that `Retry-After` asked for
 */
export function waitBeforeRetry(tries: number, chance: number, retryAfter = 0): number | undefined {
  if (tries >= MOST_TRIES || retryAfter > LONGEST_RETRY_AFTER_MS) return undefined;
  return Math.max(retryAfter, Math.round(backOff(tries, WAITS) * (0.5 + chance / 2)));
}

/** The start of the next run: a whole number of intervals after the last start, and later than `now`. */
export function nextRunAt(started_at: number, interval_seconds: number, now: number): number {
  const interval = interval_seconds * 1_000;
  const intervals = Math.max(1, Math.floor((now - started_at) / interval) + 1);
  return started_at + intervals * interval;
}
