import type { ResultOf } from '#kernel/result-of.js';
import type { PullSourceAdministration } from '#pull/index.js';

export type ListedRun = ResultOf<PullSourceAdministration['listRuns']>['runs'][number];

/** How a run went: some rows of one that succeeded may have been rejected. */
export type RunHealth = 'fine' | 'rejected' | 'failed' | 'open';

export interface StripBar {
  readonly run: ListedRun;
  readonly health: RunHealth;
  readonly x: number;
  readonly width: number;
}

export const STRIP_RUNS = 30;
const PITCH = 20;
const GAP = 4;

export function healthOf({ state, error_count }: Pick<ListedRun, 'state' | 'error_count'>): RunHealth {
  if (state === 'failed') return 'failed';
  if (state !== 'succeeded') return 'open';
  return error_count > 0 ? 'rejected' : 'fine';
}

/** The last 30 runs, the oldest at the left end. @param runs newest first */
export function stripOf(runs: readonly ListedRun[]): StripBar[] {
  const shown = runs.slice(0, STRIP_RUNS).reverse();
  return shown.map((run, index) => ({
    run,
    health: healthOf(run),
    x: index * PITCH,
    width: PITCH - GAP,
  }));
}

export const STRIP_WIDTH = STRIP_RUNS * PITCH;
