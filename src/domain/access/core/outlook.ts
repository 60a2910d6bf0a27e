import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { UnitFacts } from '#domain/units/core/fact-catalogue.js';
import { type Calendar, LAST_DATE } from './calendar-date.js';
import type { DecisionInput, SubjectUnit } from './subject.js';

/** Values for an instant from which something holds: it never will, or it already does at `now`. */
export const NEVER = Infinity;
const ALREADY = -Infinity;

/**
 * The instants at which time alone changes the result of a check. Each happens once, and time never reverses it. So a
 * decision can only change at these few instants while nothing is written.
 */
interface Outlook {
  /** The end of the unit's override. `NEVER`: it has no end. `ALREADY`: the unit has no override. */
  readonly overrideEnds: number;
  readonly leaseBegins: number;
  /** The unit itself is past due from this instant (check `delinquent`). */
  readonly pastDueFrom: number;
  /** A sibling counts against the unit from this instant (check `blanket_delinquency`). */
  readonly blanketFrom: number;
}

/** A decision's input, with today's date and the outlook. */
export interface Situation extends DecisionInput {
  readonly calendar: Calendar;
  readonly today: CalendarDate;
  readonly outlook: Outlook;
}

export function situationOf(input: DecisionInput, calendar: Calendar): Situation {
  const { unit, siblings, policy, now } = input;
  const today = calendar.dateAt(now, policy.timezone);
  const dated = { policy, calendar, today };
  const override = unit.override;
  const outlook = {
    overrideEnds: override === null ? ALREADY : (override.expires_at ?? NEVER),
    leaseBegins: leaseBegins(unit.facts, dated),
    pastDueFrom: pastDueFrom(unit.facts, dated),
    blanketFrom: blanketFrom(unit, siblings, dated),
  };
  return { unit, siblings, policy, now, calendar, today, outlook };
}

/** The next instant at which time alone changes the result of a check, or the units that it counts. */
export function nextChange(situation: Situation, after: number): number {
  const { overrideEnds, leaseBegins, pastDueFrom, blanketFrom } = situation.outlook;
  const instants = [overrideEnds, leaseBegins, pastDueFrom, blanketFrom];
  // Each further sibling that becomes past due adds a cure, so the decision changes again.
  if (blanketFrom <= after) instants.push(nextDebtor(situation, after));
  return instants.reduce((next, instant) => (instant > after ? Math.min(instant, next) : next), NEVER);
}

function nextDebtor(situation: Situation, after: number): number {
  const debtors = debtorsAmong(situation.siblings, situation);
  return debtors[countedBy(debtors, after)]?.from ?? NEVER;
}

type Dated = Pick<Situation, 'policy' | 'calendar' | 'today'>;

/** A unit that counts against its siblings from an instant on. */
interface Debtor {
  readonly debtor: SubjectUnit;
  readonly from: number;
}

/** The debtors of a list of siblings. All units of a tenant are decided with one list, so this is computed once. */
const cache = new WeakMap<readonly SubjectUnit[], Dated & { readonly debtors: readonly Debtor[] }>();

/** The units that count in `blanket_delinquency`, the earliest first. */
function debtorsAmong(
  siblings: readonly SubjectUnit[],
  { policy, calendar, today }: Dated,
): readonly Debtor[] {
  const cached = cache.get(siblings);
  if (cached?.policy === policy && cached.calendar === calendar && cached.today === today)
    return cached.debtors;
  const all = siblings.map((debtor) => ({ debtor, from: countsFrom(debtor, { policy, calendar, today }) }));
  const debtors = all.filter(({ from }) => from !== NEVER);
  debtors.sort(byInstant);
  cache.set(siblings, { policy, calendar, today, debtors });
  return debtors;
}

function byInstant(one: Debtor, other: Debtor): number {
  return one.from < other.from ? -1 : one.from > other.from ? 1 : 0;
}

/** The number of debtors that count at an instant, by binary search. */
function countedBy(debtors: readonly Debtor[], instant: number): number {
  let counted = 0;
  let end = debtors.length;
  while (counted < end) {
    const middle = (counted + end) >>> 1;
    if (debtors[middle]!.from <= instant) counted = middle + 1;
    else end = middle;
  }
  return counted;
}

/**
 * The siblings that count in `blanket_delinquency` at an instant not before `now`. They are sorted by identifier, so that
 * the order in which views received units makes no difference.
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
  return one.unit_id < other.unit_id ? -1 : 1;
}

/** The number of the tenant's units that count at an instant, the unit itself included. */
export function countPastDue(situation: Situation, instant: number): number {
  return countedBy(debtorsAmong(situation.siblings, situation), instant);
}

function leaseBegins(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  const date = facts.move_in_date;
  return date === null || date <= today ? ALREADY : calendar.startOf(date, policy.timezone);
}

function pastDueFrom(facts: UnitFacts, { policy, calendar, today }: Dated): number {
  if (facts.paid_through_date === null || !owes(facts, policy)) return NEVER;
  const { paid_through_date } = facts;
  const { grace_period_days, timezone } = policy;
  const firstDayPastDue = calendar.addDays(paid_through_date, grace_period_days + 1);
  // Dates end at 9999-12-31: if the grace lasts until then, there is no next day.
  if (firstDayPastDue === LAST_DATE && calendar.addDays(paid_through_date, grace_period_days) === LAST_DATE)
    return NEVER;
  return today >= firstDayPastDue ? ALREADY : calendar.startOf(firstDayPastDue, timezone);
}

function owes(facts: UnitFacts, policy: LocationPolicy): boolean {
  return policy.delinquency_mode === 'automatic' && facts.balance_due > policy.balance_threshold;
}

function blanketFrom(unit: SubjectUnit, siblings: readonly SubjectUnit[], dated: Dated): number {
  if (!dated.policy.blanket_delinquency) return NEVER;
  if (siblings.every(({ unit_id }) => unit_id === unit.unit_id)) return NEVER;
  const debtors = debtorsAmong(siblings, dated);
  return debtors.find(({ debtor }) => debtor.unit_id !== unit.unit_id)?.from ?? NEVER;
}

/** The instant from which a unit counts in `blanket_delinquency` of its tenant's other units; `NEVER` if it does not. */
export function countsAgainstOthersFrom(
  unit: SubjectUnit,
  policy: LocationPolicy,
  now: number,
  calendar: Calendar,
): number {
  if (!policy.blanket_delinquency) return NEVER;
  return countsFrom(unit, { policy, calendar, today: calendar.dateAt(now, policy.timezone) });
}

/** Whether a unit can ever count in `blanket_delinquency` of its tenant's other units while its facts stay, under any policy. */
export function mayCountAgainstOthers({ facts }: SubjectUnit): boolean {
  return (
    facts.occupied && !facts.pms_lock_exempt && facts.balance_due > 0 && facts.paid_through_date !== null
  );
}

/** The instant from which a unit is past due, and exempt neither by the PMS nor by an operator. */
function countsFrom(unit: SubjectUnit, dated: Dated): number {
  if (!mayCountAgainstOthers(unit)) return NEVER;
  const { facts, override } = unit;
  const pastDue = pastDueFrom(facts, dated);
  if (override?.override !== 'exempt') return pastDue;
  return Math.max(pastDue, override.expires_at ?? NEVER);
}
