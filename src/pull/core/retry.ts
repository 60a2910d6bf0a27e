import { backOff } from '../../base/core/back-off.js';

const WAITS = { first: 1_000, longest: 30_000 };
/** Tries of one page, the first among them. */
export const MOST_TRIES = 4;
/** A server that asks for a longer pause than this is asked again by the next run. */
const LONGEST_RETRY_AFTER = 120_000;

/**
 * How long to wait before a page is asked for again, in milliseconds; undefined: not again in this run. Doubles with each
 * try; half of it is chance, so that sources which failed together do not come back together.
 * @param tries so far @param chance from 0 to 1 @param asked what `Retry-After` asked for, in milliseconds
 */
export function waitBeforeRetry(tries: number, chance: number, asked = 0): number | undefined {
  if (tries >= MOST_TRIES || asked > LONGEST_RETRY_AFTER) return undefined;
  return Math.max(asked, Math.round(backOff(tries, WAITS) * (0.5 + chance / 2)));
}

/**
 * The next run of a source: whole intervals after the start of the run before, at the first instant that is still to
 * come. A run that took longer skips one.
 */
export function nextRunAt(started_at: number, interval_seconds: number, now: number): number {
  const interval = interval_seconds * 1_000;
  const turns = Math.max(1, Math.floor((now - started_at) / interval) + 1);
  return started_at + turns * interval;
}
