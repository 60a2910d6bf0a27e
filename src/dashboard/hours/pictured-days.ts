import type { Calendar } from '#domain/access/index.js';
import { type AccessHours, hoursOn, windowOn } from '#domain/locations/index.js';
import { type PicturedDay, textOfDay } from './hours-picture.js';

/** The hours of gates that keep none. */
export const ALWAYS_OPEN: AccessHours = {
  week: {
    mon: 'always',
    tue: 'always',
    wed: 'always',
    thu: 'always',
    fri: 'always',
    sat: 'always',
    sun: 'always',
  },
  exceptions: [],
  exit_grace_minutes: 10,
};

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
    const windows = [clock.addDays(date, -1), date].flatMap((one) => windowOn(zoned, one) ?? []);
    const open = windows
      .map((window) => ({ from: hourOf(window.start), to: hourOf(window.end) }))
      .filter(({ from, to }) => from < to);
    const exception = hours.exceptions.find((one) => one.date === date);
    return {
      date,
      text: textOfDay(hoursOn(hours, date), exception),
      isException: exception !== undefined,
      open,
    };
  });
}
