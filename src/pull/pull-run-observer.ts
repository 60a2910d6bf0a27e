import { PULL_FAULT_CODES, type PullFaultCode } from './fetching/pull-fault.js';
import type { PullRunRecord } from './pull-runs.js';

/** How a run ended: well, or by which fault. */
export const PULL_OUTCOMES = ['succeeded', ...PULL_FAULT_CODES] as const;

/** The outcome of the units that a run has read. Unchanged pages are not read. */
export const PULLED_UNIT_OUTCOMES = ['created', 'updated', 'unchanged', 'refused'] as const;

export interface EndedPullRun {
  readonly outcome: 'succeeded' | PullFaultCode;
  /** By the service's own clock; null where whoever carried it out fell silent. */
  readonly seconds: number | null;
  readonly units: Readonly<Record<(typeof PULLED_UNIT_OUTCOMES)[number], number>>;
}

/** Is told of runs once their end is recorded, of each by one process, for whoever counts them. Must not throw. */
export interface PullRunObserver {
  pulled(run: EndedPullRun): void;
}

/** Injection token of a `PullRunObserver`; nobody is told where it is not bound. */
export const PULL_RUN_OBSERVER = Symbol('PullRunObserver');

/** The report of a run whose end is recorded. */
export function endedRun(run: PullRunRecord, seconds: number | null): EndedPullRun {
  const { failure, created, updated, unchanged, error_count: refused } = run;
  return { outcome: failure?.code ?? 'succeeded', seconds, units: { created, updated, unchanged, refused } };
}
