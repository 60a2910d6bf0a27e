import type { Calendar } from '#domain/access/core/decision.js';
import { type Access, isLockedOut } from '#domain/access/core/policy.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { type Circumstances, heldAccess } from './backtest.js';
import { type EndOfDay, type LockedOutThen, lockedOutAtEnds } from './day-ends.js';
import type { UnitPeriods, Span } from './periods.js';

export interface CountedDate {
  readonly date: CalendarDate;
  /** Units that lost access, each once. */
  readonly units: number;
}

export interface UnitLockouts {
  /** The local dates on which the unit was let in and then denied, each once. */
  readonly dates: readonly CalendarDate[];
  /** Begin of the denial at the end of the span (milliseconds); null if before the span, undefined if there is none. */
  readonly since: number | null | undefined;
  /** The ends of days at which it was locked out. */
  readonly lockedOut: readonly LockedOutThen[];
  /** The decision at the end of the span. Undefined: it was not there. */
  readonly access: Access | undefined;
}

/** The days that are counted. */
export interface CountedDays {
  /** Begins before the first instant that counts. */
  readonly span: Span;
  readonly ends: readonly EndOfDay[];
  readonly timezone: string;
}

/** The lockouts of a unit within a span. Yields the amount of work at each step. */
export function* lockoutsOf(
  periods: UnitPeriods,
  circumstances: Circumstances,
  { span, ends, timezone }: CountedDays,
  calendar: Calendar,
): Generator<number, UnitLockouts> {
  const held = yield* heldAccess(periods, circumstances, span, calendar);
  const lost = held.filter(({ access }, index) => {
    const before = held[index - 1]?.access.state;
    return before === 'tenant_permitted' && access.state === 'tenant_denied';
  });
  const dates = [...new Set(lost.map(({ from }) => calendar.dateAt(from, timezone)))];
  const open = held.findLastIndex(({ access }) => !isLockedOut(access));
  const denied = held[open + 1]?.from;
  const since = denied === span.from ? null : denied;
  return { dates, since, lockedOut: lockedOutAtEnds(periods, held, ends), access: held.at(-1)?.access };
}

/** The number of units that lost access on each date, sorted by date. @param dates of each unit */
export function countDates(dates: Iterable<readonly CalendarDate[]>): CountedDate[] {
  const counts = new Map<CalendarDate, number>();
  for (const ofUnit of dates) for (const date of ofUnit) counts.set(date, (counts.get(date) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, units]) => ({ date, units }));
}
