import type { AccessHours, DayHours } from './access-hours.js';
import type { WallClock } from './wall-clock.js';
import { weekdayOf } from './weekday.js';

/** All instants (milliseconds) from `start` up to, not including, `end`. */
export interface OpenPeriod {
  readonly start: number;
  /** `Infinity`: it never ends. */
  readonly end: number;
}

/** Hours in a time zone. */
export interface ZonedHours {
  readonly hours: AccessHours;
  readonly timezone: string;
  readonly clock: WallClock;
}

/** The days of a week and two more: after so many like days, only an exception can change anything. */
const MOST_UNCHANGED_DAYS = 9;
/** A window lasts into the next day at most, so windows of earlier days do not reach the exception. */
const DAYS_READ_BEFORE_EXCEPTION = 2;

export function hoursOn(hours: AccessHours, date: string): DayHours {
  const exception = hours.exceptions.find((one) => one.date === date);
  return exception?.hours ?? hours.week[weekdayOf(date)];
}

export function startOfDay({ timezone, clock }: ZonedHours, date: string): number {
  return clock.instantOf(date, '00:00', timezone);
}

/** The window that begins on a date. Undefined if the day is closed, or if the zone skipped all of the window. */
export function windowOn(zoned: ZonedHours, date: string): OpenPeriod | undefined {
  const { hours, timezone, clock } = zoned;
  const day = hoursOn(hours, date);
  if (day === 'closed') return undefined;
  const { open, close } = day === 'always' ? { open: '00:00', close: '00:00' } : day;
  const closingDate = close > open ? date : clock.addDays(date, 1);
  const start = clock.instantOf(date, open, timezone);
  const end = clock.instantOf(closingDate, close, timezone);
  return start < end ? { start, end } : undefined;
}

/**
 * The open periods whose first window begins on a date or later, in their order. Windows that touch or overlap are one
 * period. Lazy: an endless list, of which a caller takes what it needs.
 */
export function* openPeriods(zoned: ZonedHours, from: string): Generator<OpenPeriod, void> {
  const { hours, clock } = zoned;
  let period: OpenPeriod | undefined;
  let unchangedDays = 0;
  let date = from;
  while (true) {
    const { ended, current } = withDay(zoned, date, period);
    if (ended !== undefined) yield ended;
    const isUnchanged = ended === undefined && (period === undefined) === (current === undefined);
    unchangedDays = isUnchanged && !isException(hours, date) ? unchangedDays + 1 : 0;
    period = current;
    const next = nextDate(zoned, date, unchangedDays);
    if (next === undefined) break;
    const isSkipping = next !== clock.addDays(date, 1);
    if (isSkipping && period !== undefined) {
      const exception = clock.addDays(next, DAYS_READ_BEFORE_EXCEPTION);
      period = { start: period.start, end: startOfDay(zoned, exception) };
    }
    date = next;
  }
  if (period !== undefined) yield { start: period.start, end: Infinity };
}

/** Adds the window of a day to the period before it, or ends that period. */
function withDay(zoned: ZonedHours, date: string, period: OpenPeriod | undefined) {
  const window = windowOn(zoned, date);
  if (period === undefined) return { ended: undefined, current: window };
  const isOver = period.end < (window?.start ?? startOfDay(zoned, date));
  if (isOver) return { ended: period, current: window };
  const current = { start: period.start, end: Math.max(period.end, window?.end ?? period.end) };
  return { ended: undefined, current };
}

/** Skips the days that are like those before, until shortly before the next exception. Undefined: nothing changes again. */
function nextDate({ hours, clock }: ZonedHours, date: string, unchangedDays: number): string | undefined {
  const next = clock.addDays(date, 1);
  if (next === date) return undefined;
  if (unchangedDays <= MOST_UNCHANGED_DAYS) return next;
  const exception = hours.exceptions.find((one) => one.date >= next)?.date;
  if (exception === undefined) return undefined;
  const resumed = clock.addDays(exception, -DAYS_READ_BEFORE_EXCEPTION);
  return resumed > next ? resumed : next;
}

function isException({ exceptions }: AccessHours, date: string): boolean {
  return exceptions.some((one) => one.date === date);
}
