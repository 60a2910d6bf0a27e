import type { UnitFacts } from './unit.facts.js';

/** The access states of units that nobody rents. */
export const IDLE_STATES = ['auction', 'unrentable', 'vacant'] as const;
export type IdleState = (typeof IDLE_STATES)[number];

/** The access state of a unit that nobody rents. Facts alone decide it: no policy, no calendar and no override has a say. */
export function idleState(facts: UnitFacts): IdleState {
  if (facts.pms_auction) return 'auction';
  return facts.pms_unrentable ? 'unrentable' : 'vacant';
}
