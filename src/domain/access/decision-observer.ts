import { CHECKS } from './core/checks.js';
import type { Decision } from './core/decision.js';

export type ObservedDecision = Pick<Decision, 'state' | 'reason'>;

/** Every decision that a rented unit can have. */
export const RENTED_UNIT_DECISIONS: readonly ObservedDecision[] = CHECKS.filter(
  ({ name }) => name !== 'vacant',
);

/** Receives each new decision about a rented unit, for metrics. Must not throw. */
export abstract class DecisionObserver {
  abstract decided(decision: ObservedDecision): void;
}
