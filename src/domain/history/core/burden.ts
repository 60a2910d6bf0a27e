import type { Calendar } from '#domain/access/core/decision.js';
import { countsAgainstOthersFrom } from '#domain/access/core/outlook.js';
import type { SubjectUnit } from '#domain/access/core/subject.js';
import {
  type UnitPeriods,
  periodAt,
  type Period,
  type PolicyPeriods,
  type Span,
  startsIn,
} from './periods.js';
import { ascending } from './window.js';

/** The time in which a unit denies its tenant's other units by blanket delinquency (milliseconds, the end excluded). */
interface Debt {
  readonly debtor: SubjectUnit;
  readonly from: number;
  readonly until: number;
}

/**
 * A unit of a tenant that denies the other units from an instant on. Null: none does. If several do, it is the one that does
 * so longest. One is enough: the debtor itself is denied for its own debt.
 */
export interface Burden extends Period {
  readonly debtor: SubjectUnit | null;
}

/**
 * The debtor among a tenant's units at each instant. A decision about one unit needs to know no more about the others. Yields
 * the amount of work at each step. The work grows with the number of events, and not with the square of the number of units.
 * @param periodsOfUnits of all units that the tenant ever rented or shared
 */
export function* burdensOf(
  tenant_id: string,
  periodsOfUnits: readonly UnitPeriods[],
  policies: PolicyPeriods,
  span: Span,
  calendar: Calendar,
): Generator<number, Burden[]> {
  const debts: Debt[] = [];
  for (const periods of periodsOfUnits) {
    for (const debt of debtsOf(tenant_id, periods, policies, span, calendar)) debts.push(debt);
    yield periods.length + policies.length;
  }
  return yield* burdensFrom(debts);
}

function debtsOf(
  tenant_id: string,
  periods: UnitPeriods,
  policies: PolicyPeriods,
  span: Span,
  calendar: Calendar,
): Debt[] {
  const starts = startsIn(span, periods, policies);
  return starts.flatMap((at, index): Debt[] => {
    const unit = periodAt(periods, at)?.unit;
    if (unit?.tenancy?.tenant_id !== tenant_id) return [];
    const { policy } = periodAt(policies, at)!;
    const from = Math.max(at, countsAgainstOthersFrom(unit, policy, at, calendar));
    const until = starts[index + 1] ?? Infinity;
    return from < until ? [{ debtor: unit, from, until }] : [];
  });
}

/** Walks through the beginnings and ends of all debts once, in order of time. */
function* burdensFrom(debts: readonly Debt[]): Generator<number, Burden[]> {
  const ends = debts.flatMap((debt) => [
    { at: debt.from, debt, begins: true },
    { at: debt.until, debt, begins: false },
  ]);
  ends.sort((one, other) => ascending(one.at, other.at));
  const active = new Set<Debt>();
  const burdens: Burden[] = [];
  let current: Debt | undefined;
  for (let index = 0; index < ends.length;) {
    const { at } = ends[index]!;
    for (; ends[index]?.at === at; index += 1) {
      const { debt, begins } = ends[index]!;
      if (begins) active.add(debt);
      else active.delete(debt);
    }
    yield 1;
    if (current !== undefined && active.has(current)) continue;
    yield active.size;
    current = longest(active);
    burdens.push({ from: at, debtor: current?.debtor ?? null });
  }
  return burdens;
}

function longest(debts: Iterable<Debt>): Debt | undefined {
  let found: Debt | undefined;
  for (const debt of debts) {
    if (found === undefined || debt.until > found.until) found = debt;
  }
  return found;
}
