import type { Calendar } from './decision.js';
import { isOpen, type ShortDecision, shortDecision } from './policy.js';
import type { DecisionInput } from './subject.js';

/**
 * The instant (milliseconds) at which an open unit loses access if nothing is written. Null: never, or it is not open. A
 * decision may end without that: an exemption ends, and nothing else stands against the unit.
 * @param decision of the input
 */
export function closesAt(input: DecisionInput, decision: ShortDecision, calendar: Calendar): number | null {
  let current = decision;
  let at: number | null = null;
  while (isOpen(current)) {
    at = current.valid_until;
    if (at === null) return null;
    current = shortDecision({ ...input, now: at }, calendar);
  }
  return at;
}
