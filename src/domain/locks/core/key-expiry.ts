/** The part of the calendar that `keyExpiry` needs. */
interface KeyCalendar {
  /** The calendar date (`YYYY-MM-DD`) at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): string;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: string, timezone: string): number;
  /** A calendar date some days later. */
  addDays(date: string, days: number): string;
}

interface KeyExpiryQuestion {
  /** The end of the decision (milliseconds); null: it holds until something is written. */
  readonly valid_until: number | null;
  /** Milliseconds. */
  readonly now: number;
  /** IANA time zone of the location. */
  readonly timezone: string;
}

const AFTER_MIDNIGHT_MS = 2 * 60 * 60_000;

/**
 * The end of a key (milliseconds): the end of the decision, at the latest two hours after the next local midnight. So all
 * reads of one day give the same key. A lock without a network opens for at most a day after a denial.
 */
export function keyExpiry(question: KeyExpiryQuestion, calendar: KeyCalendar): number {
  const { valid_until, now, timezone } = question;
  const day_end = nextMidnight(now, timezone, calendar) + AFTER_MIDNIGHT_MS;
  return valid_until === null ? day_end : Math.min(valid_until, day_end);
}

/** The instant (milliseconds) from which {@link keyExpiry} gives another answer for the same decision. */
export function nextMidnight(now: number, timezone: string, calendar: KeyCalendar): number {
  return calendar.startOf(calendar.addDays(calendar.dateAt(now, timezone), 1), timezone);
}
