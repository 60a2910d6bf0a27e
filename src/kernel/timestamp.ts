import { isCalendarDate } from './calendar-date.js';

const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/;
/** Milliseconds since the epoch. Instants outside have years that this text form cannot contain. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const LONGEST_TIME = 'HH:MM:SS.mmm'.length;

/**
 * The instant (milliseconds since the epoch) of an ISO 8601 timestamp with an offset or `Z`. Undefined for another text, and
 * outside of the years 0001 to 9999 in UTC. Digits below a millisecond are cut off.
 */
export function parseTimestamp(text: string): number | undefined {
  const [, date = '', time = '', zone = ''] = TIMESTAMP.exec(text) ?? [];
  if (!isCalendarDate(date)) return undefined;
  const offset = zone.replace(/(\d\d)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${date}T${time.slice(0, LONGEST_TIME)}${offset}`);
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : undefined;
}

/** ISO 8601 UTC with milliseconds, the form of all timestamps of the service. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
