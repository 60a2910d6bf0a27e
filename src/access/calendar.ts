import { Temporal } from 'temporal-polyfill';
import type { CalendarDate } from '../units/index.js';
import { FIRST_DATE, LAST_DATE, addDays } from './core/calendar-date.js';
import type { Calendar } from './core/decision.js';

/** One local day: all instants from `start` up to, not including, `end`. */
interface LocalDay {
  readonly date: CalendarDate;
  readonly start: number;
  readonly end: number;
}

/** The results that were computed for one time zone. */
interface ZoneCache {
  readonly starts: Map<CalendarDate, number>;
  /** The local days that touch a day of the epoch (UTC), by its number: two as a rule. */
  readonly days: Map<number, LocalDay[]>;
}

const UTC_DAY = 86_400_000;
const LARGEST_INSTANT = 8_640_000_000_000_000;
const MAX_ZONES = 1_000;
const MAX_ENTRIES_PER_ZONE = 4_096;
const MAX_SHIFTS = 128;
const MAX_DATES_PER_SHIFT = 1_024;

/**
 * The calendar of the world, from the IANA time zones that come with Node.
 *
 * A day begins at the first valid instant of its date and lasts until the next one begins. `dateAt` therefore never
 * goes back, even where clocks were turned back across midnight, and `dateAt(startOf(date)) >= date` always holds: it is
 * later only where the zone skipped the date altogether. Dates stay within 0001-01-01 and 9999-12-31, whatever the instant.
 */
export class TemporalCalendar implements Calendar {
  private readonly zones = new Map<string, ZoneCache>();
  /** Dates by the number of days they are moved: a location's days of grace come again and again. */
  private readonly shifts = new Map<number, Map<CalendarDate, CalendarDate>>();

  dateAt(instant: number, timezone: string): CalendarDate {
    const zone = this.zone(timezone);
    const utcDay = Math.floor(instant / UTC_DAY);
    const known = zone.days.get(utcDay);
    if (known !== undefined) {
      for (const day of known) {
        if (instant >= day.start && instant < day.end) return day.date;
      }
    }
    const day = this.dayOf(instant, timezone);
    if (known !== undefined) known.push(day);
    else bounded(zone.days, MAX_ENTRIES_PER_ZONE).set(utcDay, [day]);
    return day.date;
  }

  /** @throws RangeError where the time zone does not exist or the text is not a date. */
  startOf(date: CalendarDate, timezone: string): number {
    const { starts } = this.zone(timezone);
    const known = starts.get(date);
    if (known !== undefined) return known;
    const start = Temporal.PlainDate.from(date).toZonedDateTime(timezone).epochMilliseconds;
    bounded(starts, MAX_ENTRIES_PER_ZONE).set(date, start);
    return start;
  }

  addDays(date: CalendarDate, days: number): CalendarDate {
    let shifted = this.shifts.get(days);
    if (shifted === undefined) {
      shifted = new Map();
      bounded(this.shifts, MAX_SHIFTS).set(days, shifted);
    }
    let result = shifted.get(date);
    if (result === undefined) {
      result = addDays(date, days);
      bounded(shifted, MAX_DATES_PER_SHIFT).set(date, result);
    }
    return result;
  }

  private zone(timezone: string): ZoneCache {
    let zone = this.zones.get(timezone);
    if (zone === undefined) {
      zone = { starts: new Map(), days: new Map() };
      bounded(this.zones, MAX_ZONES).set(timezone, zone);
    }
    return zone;
  }

  /** The last date that has begun at an instant. */
  private dayOf(instant: number, timezone: string): LocalDay {
    let date = localDate(instant, timezone);
    let next = addDays(date, 1);
    // A date has begun although the clock shows the day before: it was turned back across midnight.
    while (next !== date && this.startOf(next, timezone) <= instant) {
      date = next;
      next = addDays(date, 1);
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

/** Makes room: a full cache starts afresh, which costs less than keeping account of what was used last. */
function bounded<Key, Value>(cache: Map<Key, Value>, limit: number): Map<Key, Value> {
  if (cache.size >= limit) cache.clear();
  return cache;
}
