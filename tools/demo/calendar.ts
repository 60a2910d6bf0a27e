const DAY = 24 * 60 * 60 * 1000;

/** The calendar date (YYYY-MM-DD) at an instant in an IANA time zone. */
export function dateIn(timezone: string, instant: Date): string {
  // Dates of Canada are in the form of ISO 8601.
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(instant);
}

/** A calendar date some days later. Negative days: earlier. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

/** Time of day and date in a time zone, for people. */
export function localTime(timezone: string, timestamp: string): string {
  const options = {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  const time = new Intl.DateTimeFormat('en-GB', options).format(new Date(timestamp));
  return `${dateIn(timezone, new Date(timestamp))} ${time}`;
}
