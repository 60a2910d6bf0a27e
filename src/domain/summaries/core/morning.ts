import type { Calendar } from '#domain/access/core/decision.js';
import type { CalendarDate } from '#kernel/calendar-date.js';

const MORNING = '07:00';
/** After an outage that lasted longer, the day has no mail: it would tell of a morning that is over. */
const NOON = '12:00';

export interface Asked {
  /** Milliseconds. Mails begin with the first morning after it. */
  readonly since: number;
  /** The date of the last mail that was begun. Null: none was. */
  readonly last_date: CalendarDate | null;
  readonly timezone: string;
  /** Milliseconds. */
  readonly now: number;
}

export type MorningStep =
  | { readonly kind: 'send'; readonly date: CalendarDate }
  /** `until`: milliseconds. */
  | { readonly kind: 'wait'; readonly until: number };

/** Whether the mail of the day is due: once for each local date, from seven until noon. */
export function morningStep({ since, last_date, timezone, now }: Asked, calendar: Calendar): MorningStep {
  const date = calendar.dateAt(now, timezone);
  const morning = calendar.instantOf(date, MORNING, timezone);
  const isDone = last_date !== null && last_date >= date;
  const isOver = now >= calendar.instantOf(date, NOON, timezone);
  if (isDone || isOver || morning < since)
    return { kind: 'wait', until: nextMorning(date, timezone, calendar) };
  return now < morning ? { kind: 'wait', until: morning } : { kind: 'send', date };
}

/** The morning after a date. */
export function nextMorning(date: CalendarDate, timezone: string, calendar: Calendar): number {
  return calendar.instantOf(calendar.addDays(date, 1), MORNING, timezone);
}
