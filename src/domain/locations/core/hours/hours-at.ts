import { openPeriods, startOfDay, type ZonedHours } from './open-periods.js';

/** Whether hours are open at an instant. */
export interface HoursAt {
  readonly state: 'open' | 'closed';
  /** The instant (milliseconds) of the last change; `-Infinity`: there was none. */
  readonly since: number;
  /** The instant (milliseconds) of the next change; `Infinity`: there will be none. */
  readonly until: number;
}

/** A period whose first window began two days before the instant is known exactly, as windows end on the next day. */
const FIRST_DAYS_BEFORE = 2;
const DAYS_BEFORE_FACTOR = 4;
/** In so many days without an exception, a week that changes anything has changed. */
const DAYS_OF_A_WHOLE_WEEK = 10;

export function hoursAt(zoned: ZonedHours, instant: number): HoursAt {
  const { clock, timezone } = zoned;
  const date = clock.dateAt(instant, timezone);
  for (let daysBefore = FIRST_DAYS_BEFORE; ; daysBefore *= DAYS_BEFORE_FACTOR) {
    const from = clock.addDays(date, -daysBefore);
    const found = changesAround(zoned, from, instant);
    if (found.since > startOfDay(zoned, clock.addDays(from, 1))) return found;
    if (daysBefore >= DAYS_OF_A_WHOLE_WEEK && isBeforeExceptions(zoned, from))
      return { ...found, since: -Infinity };
  }
}

/** `since` may be wrong if it is on the first day, because windows of earlier days are unknown. */
function changesAround(zoned: ZonedHours, from: string, instant: number): HoursAt {
  let lastEnd = -Infinity;
  for (const { start, end } of openPeriods(zoned, from)) {
    if (start > instant) return { state: 'closed', since: lastEnd, until: start };
    if (end > instant) return { state: 'open', since: start, until: end };
    lastEnd = end;
  }
  return { state: 'closed', since: lastEnd, until: Infinity };
}

function isBeforeExceptions({ hours, clock }: ZonedHours, date: string): boolean {
  const [first] = hours.exceptions;
  return first === undefined || clock.addDays(date, DAYS_OF_A_WHOLE_WEEK) < first.date;
}
