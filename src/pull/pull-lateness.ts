import type { PullSourceRecord } from './pull-sources.js';

/**
 * Milliseconds after which a due source that no process runs counts as late. Another process may have to take over
 * first.
 */
const LATE_AFTER = 5 * 60_000;

/** Whether a source should have been asked by now. @param now by the company's clock, in milliseconds */
export function isLate(
  { running, next_run_at }: Pick<PullSourceRecord, 'running' | 'next_run_at'>,
  now: number,
): boolean {
  return running === null && next_run_at !== null && next_run_at + LATE_AFTER < now;
}
