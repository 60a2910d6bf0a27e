/** Dates by other means than the service's: `Intl` says what a place's calendar shows, and searching finds when it turns. */

const formats = new Map<string, Intl.DateTimeFormat>();
const starts = new Map<string, number>();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The date that a calendar on the wall shows. */
export function localDate(instant: number, timezone: string): string {
  let format = formats.get(timezone);
  if (format === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, ...parts });
    formats.set(timezone, format);
  }
  return format.format(instant);
}

export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** The first instant at which the calendar shows a date, or a later one where it skips the date. */
export function firstInstantOf(date: string, timezone: string): number {
  const name = `${date} ${timezone}`;
  const known = starts.get(name);
  if (known !== undefined) return known;
  let before = Date.parse(`${date}T00:00:00Z`) - 30 * HOUR;
  let after = before + 60 * HOUR;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (localDate(middle, timezone) >= date) after = middle;
    else before = middle;
  }
  starts.set(name, after);
  return after;
}
