import type { Decision } from './core/decision.js';

/** Is told of decisions about rented units that came to say something else, for whoever counts them. Must not throw. */
export interface DecisionObserver {
  decided(decision: Pick<Decision, 'state' | 'reason'>): void;
}

/** Injection token of a `DecisionObserver`; nobody is told where it is not bound. */
export const DECISION_OBSERVER = Symbol('DecisionObserver');
