import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { Calendar } from './decision.js';
import { type Access, accessOf, isSameAccess, type ShortDecision, shortDecision } from './policy.js';
import type { SubjectUnit } from './subject.js';

/** A change of a unit's access that another policy, or the calendar, will bring if nothing else is written. */
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
 * The changes that another policy brings at once, and those that the calendar alone will bring after it, to the units of one
 * tenant at one location. Each decision says when it ends (`valid_until`); the unit is decided again at that instant, by the
 * same function as any decision.
 *
 * All units are decided at one instant and under one policy before the next, because the debtors of a date are computed once.
 * Yields the number of units that each step looked at.
 * @param policy in force at `now`
 * @param proposed takes its place at `now`
 */
export function* forecastOf(
  units: readonly SubjectUnit[],
  policy: LocationPolicy,
  { now, until }: ForecastSpan,
  calendar: Calendar,
  proposed = policy,
): Generator<number, ForecastChange[]> {
  const changes: ForecastChange[] = [];
  const decisions = new Map<SubjectUnit, ShortDecision>();
  for (const unit of units) {
    decisions.set(unit, shortDecision({ unit, siblings: units, policy, now }, calendar));
    yield units.length;
  }
  const decideAgain = (unit: SubjectUnit, decision: ShortDecision, at: number) => {
    const next = shortDecision({ unit, siblings: units, policy: proposed, now: at }, calendar);
    const { unit_id, crm_unit_id } = unit;
    if (!isSameAccess(decision, next))
      changes.push({ unit_id, crm_unit_id, at, from: accessOf(decision), to: accessOf(next) });
    decisions.set(unit, next);
  };
  if (proposed !== policy)
    for (const [unit, decision] of decisions) {
      decideAgain(unit, decision, now);
      yield units.length;
    }
  for (let at = firstEnd(decisions); at <= until; at = firstEnd(decisions)) {
    for (const [unit, decision] of decisions) {
      if (decision.valid_until !== at) continue;
      decideAgain(unit, decision, at);
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
