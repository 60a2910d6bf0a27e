import type { LocationPolicy } from '../../locations/index.js';
import type { CalendarDate, UnitFacts } from '../../units/index.js';
import type { Calendar } from './decision.js';
import type { DecisionInput, SubjectUnit } from './subject.js';

/** Of an instant from which something holds: it never will, or it does already at `now`. */
export const NEVER = Infinity;
export const ALREADY = -Infinity;

/**
 * The instants at which time alone changes which checks match. Each happens once and is never undone by time, so
 * these few are all that a decision can ever turn on while nothing is written.
 */
export interface Outlook {
  /** When the unit's override ends; `NEVER` where it stands until cleared, `ALREADY` where there is none. */
  readonly overrideEnds: number;
  readonly leaseBegins: number;
  /** When the unit itself is past due (check 9). */
  readonly pastDueFrom: number;
  /** When the first sibling counts against the unit (check 10). */
  readonly blanketFrom: number;
}

/** A decision's input with what follows from it at `now`. */
export interface Situation extends DecisionInput {
  readonly calendar: Calendar;
  readonly today: CalendarDate;
  readonly outlook: Outlook;
}

/** Reads the calendar once for one decision. */
export function situationOf(input: DecisionInput, calendar: Calendar): Situation {
  const { unit, siblings, policy, now } = input;
  const today = calendar.dateAt(now, policy.timezone);
  const dated = { policy, calendar, today };
  const override = unit.override;
  const outlook = {
    overrideEnds: override === null ? ALREADY : (override.expires_at ?? NEVER),
    leaseBegins: leaseBegins(unit.facts, dated),
    pastDueFrom: pastDueFrom(unit.facts, dated),
    blanketFrom: siblings.length === 0 ? NEVER : blanketFrom(unit, siblings, dated),
  };
  return { unit, siblings, policy, now, calendar, today, outlook };
}

/** The first instant after another at which time alone changes which checks match, or on account of which units. */
export function nextTurn(situation: Situation, after: number): number {
  const { overrideEnds, leaseBegins, pastDueFrom, blanketFrom } = situation.outlook;
  const turns = [overrideEnds, leaseBegins, pastDueFrom, blanketFrom];
  // The first sibling brings check 10 about, each further one is a cause of its own.
  if (blanketFrom <= after) turns.push(...siblingTurns(situation));
  return turns.reduce((next, turn) => (turn > after && turn < next ? turn : next), NEVER);
}

/** From when each sibling counts in check 10. */
function siblingTurns(situation: Situation): readonly number[] {
  const { unit, siblings } = situation;
  return siblings
    .filter(({ unit_id }) => unit_id !== unit.unit_id)
    .map((sibling) => countsFrom(sibling, situation));
}

type Dated = Pick<Situation, 'policy' | 'calendar' | 'today'>;

/**
 * The siblings that count in check 10 at an instant not before `now`, in an order of their own, so that an answer does
 * not tell in which order the views came to know the units.
 */
export function siblingsPastDue(situation: Situation, instant: number): readonly SubjectUnit[] {
  const { unit, siblings, policy } = situation;
  if (!policy.blanket_delinquency) return [];
  return siblings
    .filter((sibling) => sibling.unit_id !== unit.unit_id && countsFrom(sibling, situation) <= instant)
    .sort((one, other) => (one.unit_id < other.unit_id ? -1 : 1));
}

function leaseBegins(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  const date = facts.move_in_date;
  return date === null || date <= today ? ALREADY : calendar.startOf(date, policy.timezone);
}

function pastDueFrom(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  if (facts.paid_through_date === null || !owes(facts, policy)) return NEVER;
  const lastDayOfGrace = calendar.addDays(facts.paid_through_date, policy.grace_period_days);
  if (today > lastDayOfGrace) return ALREADY;
  const firstDayPastDue = calendar.addDays(lastDayOfGrace, 1);
  // The calendar of facts ends at 9999-12-31: no day comes after it.
  return firstDayPastDue === lastDayOfGrace ? NEVER : calendar.startOf(firstDayPastDue, policy.timezone);
}

function owes(facts: UnitFacts, policy: LocationPolicy): boolean {
  return policy.delinquency_mode === 'automatic' && facts.balance_due > policy.balance_threshold;
}

function blanketFrom(unit: SubjectUnit, siblings: readonly SubjectUnit[], dated: Dated): number {
  let first = NEVER;
  if (!dated.policy.blanket_delinquency) return first;
  for (const sibling of siblings) {
    if (sibling.unit_id === unit.unit_id) continue;
    first = Math.min(first, countsFrom(sibling, dated));
    if (first === ALREADY) break;
  }
  return first;
}

/** From when a sibling is past due and exempt neither by the PMS nor by an operator. */
function countsFrom({ facts, override }: SubjectUnit, dated: Dated): number {
  if (!facts.occupied || facts.pms_lock_exempt) return NEVER;
  const pastDue = pastDueFrom(facts, dated);
  if (override?.override !== 'exempt') return pastDue;
  return Math.max(pastDue, override.expires_at ?? NEVER);
}
