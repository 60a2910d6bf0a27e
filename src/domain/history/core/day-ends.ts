import { isLockedOut } from '#domain/access/core/policy.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { HeldAccess } from './backtest.js';
import { periodAt, type UnitPeriods } from './periods.js';

/** The last instant (milliseconds) of a local day that is counted. */
export interface EndOfDay {
  readonly date: CalendarDate;
  readonly at: number;
}

/** A unit that was locked out when a day ended. */
export interface LockedOutThen {
  readonly date: CalendarDate;
  readonly tenant_id: string;
  /** Cents. */
  readonly balance_due: number;
}

/** The tenants who were locked out when a day ended, and what they owed (cents). */
export interface CountedDayEnd {
  readonly date: CalendarDate;
  readonly tenants: number;
  readonly owed: number;
}

/** At the end of which days a unit was locked out, and whom. */
export function lockedOutAtEnds(
  periods: UnitPeriods,
  held: readonly HeldAccess[],
  ends: readonly EndOfDay[],
): LockedOutThen[] {
  return ends.flatMap(({ date, at }): LockedOutThen[] => {
    const access = periodAt(held, at)?.access;
    if (access === undefined || !isLockedOut(access)) return [];
    const { tenancy, facts } = periodAt(periods, at)!.unit;
    // Only a rented unit is denied to its tenant.
    return [{ date, tenant_id: tenancy!.tenant_id, balance_due: facts.balance_due }];
  });
}

/** Adds up units by date, sorted by date. Dates without a unit are left out. */
export function countDayEnds(lockedOut: Iterable<LockedOutThen>): CountedDayEnd[] {
  const sums = new Map<CalendarDate, { readonly tenants: Set<string>; owed: number }>();
  for (const { date, tenant_id, balance_due } of lockedOut) {
    const sum = sums.get(date) ?? { tenants: new Set<string>(), owed: 0 };
    sum.tenants.add(tenant_id);
    sum.owed += balance_due;
    sums.set(date, sum);
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, { tenants, owed }]) => ({ date, tenants: tenants.size, owed }));
}
