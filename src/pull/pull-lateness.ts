import type { PullSourceRecord } from './pull-sources.js';

/** It leaves time for another process to take over. */
const LATE_AFTER_MS = 5 * 60_000;

/** True if a source is overdue and no process runs it. @param now by the company's clock, in milliseconds */
export function isLate(
  { running, next_run_at }: Pick<PullSourceRecord, 'running' | 'next_run_at'>,
  now: number,
): boolean {
  return running === null && next_run_at !== null && next_run_at + LATE_AFTER_MS < now;
}
