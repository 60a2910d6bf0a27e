import type { LocationPolicy } from '../../locations/index.js';
import type { CalendarDate, UnitFacts } from '../../units/index.js';
import type { Calendar } from './calendar-date.js';
import type { DecisionInput, SubjectUnit } from './subject.js';

/** An instant from which something holds: never, or already at `now`. */
export const NEVER = Infinity;
const ALREADY = -Infinity;

/**
 * The instants at which time alone changes which checks match. Each happens once and is never undone by time, so
 * these few are all that a decision can ever turn on while nothing is written.
 */
export interface Outlook {
  /** When the unit's override ends; `NEVER` where it stands until cleared, `ALREADY` where there is none. */
  readonly overrideEnds: number;
  readonly leaseBegins: number;
  /** When the unit itself is past due (check `delinquent`). */
  readonly pastDueFrom: number;
  /** When the first sibling counts against the unit (check `blanket_delinquency`). */
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
    // Stryker disable next-line ConditionalExpression: a shortcut, nobody among no siblings ever counts
    blanketFrom: siblings.length === 0 ? NEVER : blanketFrom(unit, siblings, dated),
  };
  return { unit, siblings, policy, now, calendar, today, outlook };
}

/** The first instant after another at which time alone changes which checks match, or on account of which units. */
export function nextTurn(situation: Situation, after: number): number {
  const { overrideEnds, leaseBegins, pastDueFrom, blanketFrom } = situation.outlook;
  const turns = [overrideEnds, leaseBegins, pastDueFrom, blanketFrom];
  // The first sibling makes `blanket_delinquency` hold; each further one is a cause of its own.
  // Stryker disable next-line ConditionalExpression,EqualityOperator: a shortcut, as long as none counts the next is the first
  if (blanketFrom <= after) turns.push(nextSiblingTurn(situation, after));
  return turns.reduce((next, turn) => (turn > after ? Math.min(turn, next) : next), NEVER);
}

/** When the next sibling after an instant counts in `blanket_delinquency`. */
function nextSiblingTurn(situation: Situation, after: number): number {
  const debtors = debtorsAmong(situation.siblings, situation);
  return debtors[countedBy(debtors, after)]?.from ?? NEVER;
}

type Dated = Pick<Situation, 'policy' | 'calendar' | 'today'>;

/** A unit that counts against its siblings, and from when. */
interface Debtor {
  readonly debtor: SubjectUnit;
  readonly from: number;
}

/** The units that count in `blanket_delinquency`, the earliest first. */
type Debtors = readonly Debtor[];

/** One list of siblings serves all units of a tenant: what is known of it is told once for all of them. */
const known = new WeakMap<readonly SubjectUnit[], Dated & { readonly debtors: Debtors }>();

function debtorsAmong(siblings: readonly SubjectUnit[], { policy, calendar, today }: Dated): Debtors {
  const before = known.get(siblings);
  if (before?.policy === policy && before.calendar === calendar && before.today === today)
    return before.debtors;
  const all = siblings.map((debtor) => ({ debtor, from: countsFrom(debtor, { policy, calendar, today }) }));
  // Stryker disable next-line all: a shortcut, what is after all others is never come to
  const debtors = all.filter(({ from }) => from !== NEVER);
  debtors.sort(byInstant);
  known.set(siblings, { policy, calendar, today, debtors });
  return debtors;
}

function byInstant(one: Debtor, other: Debtor): number {
  // Stryker disable next-line ConditionalExpression,EqualityOperator: the order within an instant means nothing
  return one.from < other.from ? -1 : one.from > other.from ? 1 : 0;
}

/** How many of them count at an instant. */
function countedBy(debtors: Debtors, instant: number): number {
  let [counted, end] = [0, debtors.length];
  while (counted < end) {
    const middle = (counted + end) >>> 1;
    if (debtors[middle]!.from <= instant) counted = middle + 1;
    else end = middle;
  }
  return counted;
}

/**
 * The siblings that count in `blanket_delinquency` at an instant not before `now`, sorted by identifier: the order in which
 * views learned of units must not show.
 */
export function siblingsPastDue(situation: Situation, instant: number): readonly SubjectUnit[] {
  const { unit, siblings, policy } = situation;
  if (!policy.blanket_delinquency) return [];
  const debtors = debtorsAmong(siblings, situation);
  return debtors
    .slice(0, countedBy(debtors, instant))
    .map(({ debtor }) => debtor)
    .filter(({ unit_id }) => unit_id !== unit.unit_id)
    .sort(byIdentifier);
}

function byIdentifier(one: SubjectUnit, other: SubjectUnit): number {
  // Stryker disable next-line EqualityOperator: no two have one identifier
  return one.unit_id < other.unit_id ? -1 : 1;
}

/** How many units of the tenant count at an instant, the unit itself among them, without looking at each. */
export function countPastDue(situation: Situation, instant: number): number {
  return countedBy(debtorsAmong(situation.siblings, situation), instant);
}

function leaseBegins(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  const date = facts.move_in_date;
  // Stryker disable next-line ConditionalExpression,EqualityOperator: a shortcut, what began is not looked up in the calendar
  return date === null || date <= today ? ALREADY : calendar.startOf(date, policy.timezone);
}

function pastDueFrom(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  if (facts.paid_through_date === null || !owes(facts, policy)) return NEVER;
  const lastDayOfGrace = calendar.addDays(facts.paid_through_date, policy.grace_period_days);
  // Stryker disable next-line ConditionalExpression: a shortcut, what is over is not looked up in the calendar
  if (today > lastDayOfGrace) return ALREADY;
  const firstDayPastDue = calendar.addDays(lastDayOfGrace, 1);
  // The calendar of facts ends at 9999-12-31: no day comes after it.
  return firstDayPastDue === lastDayOfGrace ? NEVER : calendar.startOf(firstDayPastDue, policy.timezone);
}

function owes(facts: UnitFacts, policy: LocationPolicy): boolean {
  return policy.delinquency_mode === 'automatic' && facts.balance_due > policy.balance_threshold;
}

function blanketFrom(unit: SubjectUnit, siblings: readonly SubjectUnit[], dated: Dated): number {
  if (!dated.policy.blanket_delinquency) return NEVER;
  const debtors = debtorsAmong(siblings, dated);
  return debtors.find(({ debtor }) => debtor.unit_id !== unit.unit_id)?.from ?? NEVER;
}

/** From when a unit counts in `blanket_delinquency` of its tenant's others if nothing is written; else `NEVER`. */
export function countsAgainstOthersFrom(
  unit: SubjectUnit,
  policy: LocationPolicy,
  now: number,
  calendar: Calendar,
): number {
  if (!policy.blanket_delinquency) return NEVER;
  return countsFrom(unit, { policy, calendar, today: calendar.dateAt(now, policy.timezone) });
}

/** From when a sibling is past due and exempt neither by the PMS nor by an operator. */
function countsFrom({ facts, override }: SubjectUnit, dated: Dated): number {
  if (!facts.occupied || facts.pms_lock_exempt) return NEVER;
  const pastDue = pastDueFrom(facts, dated);
  if (override?.override !== 'exempt') return pastDue;
  return Math.max(pastDue, override.expires_at ?? NEVER);
}
