import type { CalendarDate } from '../../units/index.js';

/** Time zones and dates. The implementation is outside of the core. */
export interface Calendar {
  /** The calendar date at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): CalendarDate;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: CalendarDate, timezone: string): number;
  /** The calendar date some days later, or earlier if negative. */
  addDays(date: CalendarDate, days: number): CalendarDate;
}

/** The first and the last date that a fact may have. Arithmetic stops there, because the format has four digits. */
export const FIRST_DATE: CalendarDate = '0001-01-01';
export const LAST_DATE: CalendarDate = '9999-12-31';

const DAYS_BEFORE_1970 = 719_468;
const DAYS_IN_400_YEARS = 146_097;
const FIRST_DAY = dayNumber(FIRST_DATE);
const LAST_DAY = dayNumber(LAST_DATE);

/**
 * Moves a date by whole days; a negative number moves it back. Stops at 0001-01-01 and 9999-12-31.
 * @param date `YYYY-MM-DD`
 * @param days A fraction is cut off, NaN counts as 0.
 */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  const target = dayNumber(date) + (Number.isNaN(days) ? 0 : Math.trunc(days));
  if (target >= LAST_DAY) return LAST_DATE;
  return target <= FIRST_DAY ? FIRST_DATE : dateOfDay(target);
}

function number(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}

/** Days since 1970-01-01. Years are counted from March, so that the leap day is the last day of its year. */
function dayNumber(date: CalendarDate): number {
  const month = number(date, 5, 7);
  const year = number(date, 0, 4) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + number(date, 8, 10) - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_IN_400_YEARS + dayOfEra - DAYS_BEFORE_1970;
}

/** The inverse of `dayNumber`. */
function dateOfDay(day: number): CalendarDate {
  const shifted = day + DAYS_BEFORE_1970;
  const era = Math.floor(shifted / DAYS_IN_400_YEARS);
  const dayOfEra = shifted - era * DAYS_IN_400_YEARS;
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
