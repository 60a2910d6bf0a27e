import { PULL_FAULT_CODES, type PullFaultCode } from './fetching/pull-fault.js';
import type { PullRunRecord } from './pull-runs.js';

/** The outcomes of a run: success, or the code of its fault. */
export const PULL_OUTCOMES = ['succeeded', ...PULL_FAULT_CODES] as const;

/** The outcomes by which a run counts units. Units on pages that have not changed are not counted. */
export const PULLED_UNIT_OUTCOMES = ['created', 'updated', 'unchanged', 'refused'] as const;

export interface EndedPullRun {
  readonly outcome: 'succeeded' | PullFaultCode;
  /** The duration by the real clock. Null if the process stopped during the run. */
  readonly seconds: number | null;
  readonly units: Readonly<Record<(typeof PULLED_UNIT_OUTCOMES)[number], number>>;
}

/** Counts runs, for metrics. */
export abstract class PullRunObserver {
  /** Called once for each run, by one process, when its end is recorded. Must not throw. */
  abstract pulled(run: EndedPullRun): void;
}

/** The observer's view of a run. */
export function endedRun(run: PullRunRecord, seconds: number | null): EndedPullRun {
  const { failure, created, updated, unchanged, error_count: refused } = run;
  return { outcome: failure?.code ?? 'succeeded', seconds, units: { created, updated, unchanged, refused } };
}
