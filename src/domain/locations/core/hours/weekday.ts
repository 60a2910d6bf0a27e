import { type Weekday, WEEKDAYS } from './access-hours.js';

/** Days from a Monday to the first of each month, in a common year. */
const MONTH_OFFSETS = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4] as const;

/** The weekday of a date of the Gregorian calendar, by Sakamoto's method. */
export function weekdayOf(date: string): Weekday {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const leapYear = month < 3 ? year - 1 : year;
  const leapDays = Math.floor(leapYear / 4) - Math.floor(leapYear / 100) + Math.floor(leapYear / 400);
  const sinceSunday = leapYear + leapDays + MONTH_OFFSETS[month - 1]! + day;
  return WEEKDAYS[(sinceSunday + 6) % 7]!;
}
