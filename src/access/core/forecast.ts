import type { LocationPolicy } from '../../locations/index.js';
import type { Calendar } from './decision.js';
import { type Access, accessOf, type ShortDecision, shortDecision } from './policy.js';
import type { SubjectUnit } from './subject.js';

/** A change of a unit's access that the calendar will bring if nothing is written. */
export interface ForecastChange {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly from: Access;
  readonly to: Access;
}

/** From one instant to another (milliseconds, the end included). */
export interface ForecastSpan {
  readonly now: number;
  readonly until: number;
}

/**
 * The changes that the calendar alone will bring to the units of one tenant at one location. Each decision says when it
 * ends (`valid_until`); the unit is decided again at that instant, by the same function as any decision.
 *
 * All units are decided at one instant before the next instant, because the debtors of a date are computed once.
 * Yields the number of units that each step looked at.
 */
export function* forecastOf(
  units: readonly SubjectUnit[],
  policy: LocationPolicy,
  { now, until }: ForecastSpan,
  calendar: Calendar,
): Generator<number, ForecastChange[]> {
  const changes: ForecastChange[] = [];
  const decide = (unit: SubjectUnit, at: number) =>
    shortDecision({ unit, siblings: units, policy, now: at }, calendar);
  const decisions = new Map<SubjectUnit, ShortDecision>();
  for (const unit of units) {
    decisions.set(unit, decide(unit, now));
    yield units.length;
  }
  for (let at = firstEnd(decisions); at <= until; at = firstEnd(decisions)) {
    for (const [unit, decision] of decisions) {
      if (decision.valid_until !== at) continue;
      const next = decide(unit, at);
      const { unit_id, crm_unit_id } = unit;
      // Comparing reasons is enough: states without a reason come from flags, which no calendar changes.
      if (decision.reason !== next.reason) {
        changes.push({ unit_id, crm_unit_id, at, from: accessOf(decision), to: accessOf(next) });
      }
      decisions.set(unit, next);
      yield units.length;
    }
  }
  return changes;
}

/** The earliest `valid_until`; Infinity if all decisions hold for ever. */
function firstEnd(decisions: ReadonlyMap<SubjectUnit, ShortDecision>): number {
  let first = Infinity;
  for (const { valid_until } of decisions.values()) {
    if (valid_until !== null) first = Math.min(first, valid_until);
  }
  return first;
}

/** Sorts by instant, then by unit. */
export function bySoonest(one: ForecastChange, other: ForecastChange): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.unit_id < other.unit_id ? -1 : one.unit_id > other.unit_id ? 1 : 0;
}
