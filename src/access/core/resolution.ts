import type { FactChange } from './decision.js';
import type { Situation } from './outlook.js';
import { overrideInForce } from './subject.js';

const NOTHING: readonly FactChange[] = [];

/**
 * The smallest change of the unit's own PMS facts that would permit access at an instant, in the order of the checks:
 * empty where access is permitted, null where no fact of the PMS can help (nobody rents the unit, or an operator
 * locked it out). Of two causes that one exemption removes, the exemption is the smaller change.
 */
export function resolutionOf(situation: Situation, instant: number): readonly FactChange[] | null {
  const { facts, override } = situation.unit;
  const inForce = overrideInForce(override, instant);
  if (!facts.occupied || inForce === 'lockout') return null;
  const changes: FactChange[] = [];
  if (facts.pms_auction) changes.push({ field: 'pms_auction', to: false });
  if (facts.pms_unrentable) changes.push({ field: 'pms_unrentable', to: false });
  if (inForce !== 'exempt') {
    if (instant < situation.outlook.leaseBegins) {
      changes.push({ field: 'move_in_date', to: situation.today });
    }
    if (!facts.pms_lock_exempt) changes.push(...withoutDebt(situation, instant));
  }
  return changes;
}

/** What removes the causes of checks 8 to 10: never more than one change. */
function withoutDebt(situation: Situation, instant: number): readonly FactChange[] {
  const locked = situation.unit.facts.pms_lockout;
  const pastDue = instant >= situation.outlook.pastDueFrom;
  const blanket = instant >= situation.outlook.blanketFrom;
  if (blanket || (locked && pastDue)) return [{ field: 'pms_lock_exempt', to: true }];
  if (locked) return [{ field: 'pms_lockout', to: false }];
  if (pastDue) return [{ field: 'balance_due', to: situation.policy.balance_threshold }];
  return NOTHING;
}

/**
 * Whether two resolutions name the same fields. Amounts and flags follow from the field while nothing is written; the
 * date of a move-in follows today, and a resolution that names yesterday still permits.
 */
export function sameFields(one: readonly FactChange[] | null, other: readonly FactChange[] | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.length === other.length && one.every((change, position) => change.field === other[position]?.field)
  );
}
