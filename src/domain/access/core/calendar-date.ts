import type { CalendarDate } from '#kernel/calendar-date.js';

/** Time zones and dates. The implementation is outside of the core. */
export interface Calendar {
  /** The calendar date at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): CalendarDate;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: CalendarDate, timezone: string): number;
  /**
   * The first instant (milliseconds) at which a local clock has reached a date and a time (`HH:MM`). If a change of the
   * clocks skips the time, this is the instant of the change. If it repeats the time, this is the earlier of both.
   */
  instantOf(date: CalendarDate, time: string, timezone: string): number;
  /** The calendar date some days later, or earlier if negative. */
  addDays(date: CalendarDate, days: number): CalendarDate;
}

/** The first and the last date that a fact may have. Arithmetic stops there, because the format has four digits. */
export const FIRST_DATE: CalendarDate = '0001-01-01';
export const LAST_DATE: CalendarDate = '9999-12-31';
