import type { LocationPolicy } from '../../locations/index.js';
import type { AccessReason, AccessState, Calendar } from './decision.js';
import { type Standing, standingOf } from './policy.js';
import type { SubjectUnit } from './subject.js';

export interface ForecastAccess {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
}

/** A change of a unit's access that the calendar will bring if nothing is written. */
export interface ForecastChange {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  /** Milliseconds. */
  readonly at: number;
  readonly from: ForecastAccess;
  readonly to: ForecastAccess;
}

/** From one instant to another (milliseconds, the end included). */
export interface ForecastSpan {
  readonly now: number;
  readonly until: number;
}

/**
 * What the calendar alone will change of the units of one tenant at one location. It asks the very decision when it will
 * next differ, and decides then, so nothing is foreseen but what would be decided. Instant after instant, each for all units:
 * what is known of the siblings on a date is reckoned once. Says at each step how many units it looked at.
 */
export function* forecastOf(
  units: readonly SubjectUnit[],
  policy: LocationPolicy,
  { now, until }: ForecastSpan,
  calendar: Calendar,
): Generator<number, ForecastChange[]> {
  const changes: ForecastChange[] = [];
  const decide = (unit: SubjectUnit, at: number) =>
    standingOf({ unit, siblings: units, policy, now: at }, calendar);
  const standings = new Map<SubjectUnit, Standing>();
  for (const unit of units) {
    standings.set(unit, decide(unit, now));
    yield units.length;
  }
  for (let at = nextEnd(standings); at <= until; at = nextEnd(standings)) {
    for (const [unit, standing] of standings) {
      if (standing.valid_until !== at) continue;
      const next = decide(unit, at);
      const { unit_id, crm_unit_id } = unit;
      // The state turns with its reason alone: what has none are the PMS's own flags.
      if (standing.reason !== next.reason) {
        changes.push({ unit_id, crm_unit_id, at, from: accessOf(standing), to: accessOf(next) });
      }
      standings.set(unit, next);
      yield units.length;
    }
  }
  return changes;
}

/** When the first of them ends; Infinity for never. */
function nextEnd(standings: ReadonlyMap<SubjectUnit, Standing>): number {
  let next = Infinity;
  for (const { valid_until } of standings.values()) {
    if (valid_until !== null) next = Math.min(next, valid_until);
  }
  return next;
}

function accessOf({ state, reason }: Standing): ForecastAccess {
  return { state, reason };
}

/** Soonest first; by unit where several change at once. */
export function bySoonest(one: ForecastChange, other: ForecastChange): number {
  if (one.at !== other.at) return one.at - other.at;
  return one.unit_id < other.unit_id ? -1 : one.unit_id > other.unit_id ? 1 : 0;
}
