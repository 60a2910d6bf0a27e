import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { FIRST_DATE, LAST_DATE } from './core/calendar-date.js';
import type { Calendar } from './core/decision.js';

/** One local day: all instants from `start` up to, not including, `end`. */
interface LocalDay {
  readonly date: CalendarDate;
  readonly start: number;
  readonly end: number;
}

/** Cached results for one time zone. */
class ZoneCache {
  /** The start of a date, in milliseconds. */
  readonly starts = new LRUCache<CalendarDate, number>({ max: 1_024 });
  /** The instant of a date and a time, in milliseconds. */
  readonly instants = new LRUCache<string, number>({ max: 1_024 });
  /** The key is the number of a UTC day since 1970. The value lists the local days that overlap it, as a rule two. */
  readonly days = new LRUCache<number, LocalDay[]>({ max: 1_024 });
}

const UTC_DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse(FIRST_DATE);
const LAST_DAY = Date.parse(LAST_DATE);
const LARGEST_INSTANT = 8_640_000_000_000_000;
const ZONES = 100;

/**
 * Calendar of the IANA time zones that come with Node.
 *
 * A day begins at the first valid instant of its date and lasts until the next day begins. So `dateAt` never goes back,
 * even if clocks are turned back across midnight. `dateAt(startOf(date)) >= date` always holds: it is later only if the
 * zone skipped the date. Dates stay within 0001-01-01 and 9999-12-31 for every instant.
 */
export class TemporalCalendar implements Calendar {
  readonly #zones = new LRUCache<string, ZoneCache>({ max: ZONES, memoMethod: () => new ZoneCache() });

  dateAt(instant: number, timezone: string): CalendarDate {
    const { days } = this.#zones.memo(timezone);
    const utcDay = Math.floor(instant / UTC_DAY_MS);
    const known = days.get(utcDay) ?? [];
    for (const day of known) {
      if (instant >= day.start && instant < day.end) return day.date;
    }
    const day = this.#dayOf(instant, timezone);
    days.set(utcDay, [...known, day]);
    return day.date;
  }

  /** @throws RangeError if the time zone does not exist or the text is not a date. */
  startOf(date: CalendarDate, timezone: string): number {
    const { starts } = this.#zones.memo(timezone);
    const known = starts.get(date);
    if (known !== undefined) return known;
    const start = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
    starts.set(date, start);
    return start;
  }

  /** @throws RangeError if the time zone does not exist or a text is not a date or a time. */
  instantOf(date: CalendarDate, time: string, timezone: string): number {
    if (time === '00:00') return this.startOf(date, timezone);
    const { instants } = this.#zones.memo(timezone);
    const localTime = `${date}T${time}`;
    const known = instants.get(localTime);
    if (known !== undefined) return known;
    const instant = firstInstantOf(Temporal.PlainDateTime.from(localTime), timezone);
    instants.set(localTime, instant);
    return instant;
  }

  addDays(date: CalendarDate, days: number): CalendarDate {
    const instant = Date.parse(date) + days * UTC_DAY_MS;
    if (instant >= LAST_DAY) return LAST_DATE;
    return instant <= FIRST_DAY ? FIRST_DATE : new Date(instant).toISOString().slice(0, 10);
  }

  /** The last date that has begun at an instant. */
  #dayOf(instant: number, timezone: string): LocalDay {
    let date = localDate(instant, timezone);
    let next = this.addDays(date, 1);
    // If clocks were turned back across midnight, the next date has begun although the clock shows the day before.
    while (next !== date && this.startOf(next, timezone) <= instant) {
      date = next;
      next = this.addDays(date, 1);
    }
    return {
      date,
      start: date === FIRST_DATE ? -Infinity : this.startOf(date, timezone),
      end: next === date ? Infinity : this.startOf(next, timezone),
    };
  }
}

function localDate(instant: number, timezone: string): CalendarDate {
  const within = Math.min(Math.max(instant, -LARGEST_INSTANT), LARGEST_INSTANT);
  const local = Temporal.Instant.fromEpochMilliseconds(within).toZonedDateTimeISO(timezone);
  if (local.year < 1) return FIRST_DATE;
  return local.year > 9_999 ? LAST_DATE : local.toPlainDate().toString();
}

/** The earlier instant of a repeated time; the instant of the change for a skipped one. */
function firstInstantOf(wanted: Temporal.PlainDateTime, timezone: string): number {
  const earlier = wanted.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(wanted)) return earlier.epochMilliseconds;
  // The time is skipped, and 'earlier' names an instant before the change, by the offset before it.
  return earlier.getTimeZoneTransition('next')!.epochMilliseconds;
}
