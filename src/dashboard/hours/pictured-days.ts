import type { Calendar } from '#domain/access/index.js';
import { type AccessHours, type HoursException, hoursOn, windowOn } from '#domain/locations/index.js';
import type { PicturedDay } from './hours-picture.js';
import { dateHoursText } from './hours-texts.js';

const DAYS = 14;
const HOURS = 24;

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
    const start = clock.startOf(date, timezone);
    const end = clock.startOf(clock.addDays(date, 1), timezone);
    const hourOf = (instant: number) =>
      (Math.min(Math.max(instant, start), end) - start) / ((end - start) / HOURS);
    const dayBefore = clock.addDays(date, -1);
    const open = [dayBefore, date].flatMap((begun) => {
      const window = windowOn(zoned, begun);
      if (window === undefined) return [];
      const isException = exceptionOn(hours, begun) !== undefined;
      return { from: hourOf(window.start), to: hourOf(window.end), isException };
    });
    const text = dateHoursText(hoursOn(hours, dayBefore), hoursOn(hours, date));
    const name = exceptionOn(hours, date)?.name;
    return {
      date,
      text: name === undefined ? text : `${text}, ${name}`,
      open: open.filter(({ from, to }) => from < to),
    };
  });
}

function exceptionOn({ exceptions }: AccessHours, date: string): HoursException | undefined {
  return exceptions.find((one) => one.date === date);
}
