/** Arithmetic on the text of dates and timestamps: `Date`, which accepts what does not exist, is asked for days that do. */

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIMESTAMP =
  /^(?<date>\d{4}-\d{2}-\d{2})T(?<time>\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d{2}:\d{2})\.(?<fraction>\d{1,9}))?(?<zone>Z|[+-]\d{2}:\d{2})$/;
/** The instants (milliseconds since the epoch) whose date in UTC is one of the calendar: no other has a text that is read again. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function lengthOfMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : (MONTH_LENGTHS[month - 1] ?? 0);
}

/** Whether `text` is YYYY-MM-DD and a day of the calendar, in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1 && day >= 1 && day <= lengthOfMonth(year, month);
}

/** Minutes east of UTC, or undefined for an offset that no clock shows. */
function offsetMinutes(offset: string): number | undefined {
  if (offset === 'Z') return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(4))];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Milliseconds since midnight of `HH:MM` or `HH:MM:SS`, or undefined for what no clock shows. */
function timeOfDay(time: string): number | undefined {
  const [hours, minutes, seconds] = [
    Number(time.slice(0, 2)),
    Number(time.slice(3, 5)),
    Number(time.slice(6)),
  ];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return (hours * 3600 + minutes * 60 + seconds) * 1000;
}

function withinCalendar(instant: number): number | undefined {
  return instant >= FIRST_INSTANT && instant <= LAST_INSTANT ? instant : undefined;
}

/**
 * The instant (milliseconds since the epoch) of an ISO 8601 timestamp with an offset or `Z`, or undefined where the
 * text is none, or where its date in UTC is outside the years 0001 to 9999. Digits below a millisecond are cut off.
 */
export function parseTimestamp(text: string): number | undefined {
  const { date, time, fraction, zone } = TIMESTAMP.exec(text)?.groups ?? {};
  if (date === undefined || time === undefined || zone === undefined || !isCalendarDate(date))
    return undefined;
  const sinceMidnight = timeOfDay(time);
  const offset = offsetMinutes(zone);
  if (sinceMidnight === undefined || offset === undefined) return undefined;
  const milliseconds = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  return withinCalendar(Date.parse(date) + sinceMidnight - offset * 60_000 + milliseconds);
}
