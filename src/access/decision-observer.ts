import type { Decision } from './core/decision.js';

/** Receives each new decision about a rented unit, for metrics. Must not throw. */
export interface DecisionObserver {
  decided(decision: Pick<Decision, 'state' | 'reason'>): void;
}

/** Injection token of a `DecisionObserver` (optional). */
export const DECISION_OBSERVER = Symbol('DecisionObserver');
