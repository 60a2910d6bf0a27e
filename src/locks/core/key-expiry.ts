/** The part of the world's calendar that the end of a key needs. */
export interface KeyCalendar {
  /** The calendar date (`YYYY-MM-DD`) at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): string;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: string, timezone: string): number;
  /** A calendar date some days later. */
  addDays(date: string, days: number): string;
}

export interface KeyExpiryQuestion {
  /** Milliseconds: until when the decision behind the key holds; null for as long as nothing is written. */
  readonly valid_until: number | null;
  /** Milliseconds. */
  readonly now: number;
  /** IANA time zone of the location. */
  readonly timezone: string;
}

const AFTER_MIDNIGHT = 2 * 60 * 60_000;

/**
 * When a key ends (milliseconds): with the decision behind it, or two hours after the next local midnight if that is
 * earlier. So every read of a day gives the same key, and a lock that never hears of a denial opens for a day at most.
 */
export function keyExpiry(question: KeyExpiryQuestion, calendar: KeyCalendar): number {
  const { valid_until, now, timezone } = question;
  const day_end = nextMidnight(now, timezone, calendar) + AFTER_MIDNIGHT;
  return valid_until === null ? day_end : Math.min(valid_until, day_end);
}

/** The first instant (milliseconds) at which {@link keyExpiry} answers otherwise, though the decision is the same. */
export function nextMidnight(now: number, timezone: string, calendar: KeyCalendar): number {
  return calendar.startOf(calendar.addDays(calendar.dateAt(now, timezone), 1), timezone);
}
