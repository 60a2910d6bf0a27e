import type { Calendar } from '#domain/access/index.js';
import {
  type AccessHours,
  type HoursException,
  hoursOn,
  WEEKDAYS,
  windowOn,
  type ZonedHours,
} from '#domain/locations/index.js';
import type { PicturedDay } from './hours-picture.js';
import { DAY_NAMES, dateHoursText, dayText } from './hours-texts.js';

const DAYS = 14;
const HOURS = 24;

type Zoned = ZonedHours & { readonly clock: Calendar };

/** The days from the one of an instant (milliseconds) on. A day with a change of the clocks is stretched to 24 hours. */
export function picturedDays(
  hours: AccessHours,
  timezone: string,
  now: number,
  clock: Calendar,
): PicturedDay[] {
  const zoned = { hours, timezone, clock };
  const today = clock.dateAt(now, timezone);
  return Array.from({ length: DAYS }, (_, index) => {
    const date = clock.addDays(today, index);
    const day = pictured(zoned, date);
    return index === 0
      ? { name: 'Today', ...day, now: hourOn(zoned, date, now) }
      : { name: dayText(date), ...day };
  });
}

/** Any Monday, in a zone whose clocks never change: a week is the same in all years. */
const MONDAY = '2024-01-01';

/** The days of the week, without days of their own. What runs on past midnight is on the day after, too. */
export function picturedWeek(hours: AccessHours, clock: Calendar): PicturedDay[] {
  const zoned = { hours: { ...hours, exceptions: [] }, timezone: 'UTC', clock };
  return WEEKDAYS.map((day, index) => ({
    name: DAY_NAMES[day],
    ...pictured(zoned, clock.addDays(MONDAY, index)),
  }));
}

function pictured(zoned: Zoned, date: string): Pick<PicturedDay, 'text' | 'open'> {
  const { hours, clock } = zoned;
  const dayBefore = clock.addDays(date, -1);
  const open = [dayBefore, date].flatMap((begun) => {
    const window = windowOn(zoned, begun);
    if (window === undefined) return [];
    const isException = exceptionOn(hours, begun) !== undefined;
    const from = hourOn(zoned, date, window.start);
    const to = hourOn(zoned, date, window.end);
    return from < to ? [{ from, to, isException }] : [];
  });
  const text = dateHoursText(hoursOn(hours, dayBefore), hoursOn(hours, date));
  const name = exceptionOn(hours, date)?.name;
  return { text: name === undefined ? text : `${text}, ${name}`, open };
}

/** An instant (milliseconds) in hours since the midnight of a date; 0 before it, 24 after it. */
function hourOn({ timezone, clock }: Zoned, date: string, instant: number): number {
  const start = clock.startOf(date, timezone);
  const end = clock.startOf(clock.addDays(date, 1), timezone);
  return (Math.min(Math.max(instant, start), end) - start) / ((end - start) / HOURS);
}

function exceptionOn({ exceptions }: AccessHours, date: string): HoursException | undefined {
  return exceptions.find((one) => one.date === date);
}
