import type { Calendar } from '../../access/core/decision.js';
import type { CalendarDate } from '../../units/core/fact-catalogue.js';
import { type Circumstances, heldAccess } from './backtest.js';
import type { Course, Span } from './course.js';

export interface CountedDate {
  readonly date: CalendarDate;
  /** Units that lost access, each once. */
  readonly units: number;
}

/**
 * The local dates on which a unit lost access, each once: it was let in, and then denied. Says at each step how much it was.
 * @param span it begins before the first instant that counts
 */
export function* lockoutDates(
  course: Course,
  circumstances: Circumstances,
  span: Span,
  timezone: string,
  calendar: Calendar,
): Generator<number, CalendarDate[]> {
  const held = yield* heldAccess(course, circumstances, span, calendar);
  const lost = held.filter(({ access }, place) => {
    const before = held[place - 1]?.access.state;
    return before === 'tenant_permitted' && access.state === 'tenant_denied';
  });
  return [...new Set(lost.map(({ from }) => calendar.dateAt(from, timezone)))];
}

/** How many units lost access on each date, in order. @param dates of each unit */
export function countDates(dates: Iterable<readonly CalendarDate[]>): CountedDate[] {
  const counts = new Map<CalendarDate, number>();
  for (const ofUnit of dates) for (const date of ofUnit) counts.set(date, (counts.get(date) ?? 0) + 1);
  return (
    [...counts]
      // Stryker disable next-line EqualityOperator: no two dates are the same
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([date, units]) => ({ date, units }))
  );
}
