import { type AccessHours, type DayHours, type Weekday, WEEKDAYS } from '#domain/locations/index.js';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { type FormValues, lastOf } from '../page/page.js';
import { countText } from '../parts/words.js';

export const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** `6 AM`, `10:30 PM` */
export function timeText(time: string): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 || 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

export function hoursText(hours: DayHours): string {
  if (hours === 'always') return 'Always';
  return hours === 'closed' ? 'Closed' : `${timeText(hours.open)} – ${timeText(hours.close)}`;
}

/** The hours of one date: `until 2 AM, 6 AM – 10 PM` where the window of the day before runs on past midnight. */
export function dateHoursText(before: DayHours, day: DayHours): string {
  const text = hoursText(day);
  const runsOnUntil = closeAfterMidnight(before);
  if (runsOnUntil === undefined || day === 'always') return text;
  if (day === 'closed') return `Until ${timeText(runsOnUntil)}, then closed`;
  if (day.open > runsOnUntil) return `Until ${timeText(runsOnUntil)}, then ${text}`;
  // Both windows are one.
  const closesNextDay = day.close <= day.open;
  if (closesNextDay) return `All day, until ${timeText(day.close)}`;
  return `Until ${timeText(day.close > runsOnUntil ? day.close : runsOnUntil)}`;
}

/** When the window of a day ends on the next day. Undefined if it does not reach into it. */
function closeAfterMidnight(hours: DayHours): string | undefined {
  if (typeof hours === 'string' || hours.close > hours.open) return undefined;
  return hours.close === '00:00' ? undefined : hours.close;
}

/** `Monday to Friday 6 AM – 10 PM; Saturday to Sunday Closed; 2 days of their own; 10 minutes to leave` */
export function weekText(hours: AccessHours | null): string {
  if (hours === null) return 'Always';
  const { week, exceptions, exit_grace_minutes } = hours;
  const runs: { readonly first: Weekday; readonly text: string; last: Weekday }[] = [];
  for (const day of WEEKDAYS) {
    const text = hoursText(week[day]);
    const run = runs.at(-1);
    if (run?.text === text) run.last = day;
    else runs.push({ first: day, last: day, text });
  }
  const days = runs.map(({ first, last, text }) => {
    const name = first === last ? DAY_NAMES[first] : `${DAY_NAMES[first]} to ${DAY_NAMES[last]}`;
    return `${name} ${text}`;
  });
  const own = exceptions.length === 0 ? [] : [`${countText(exceptions.length, 'day')} of their own`];
  return [...days, ...own, `${countText(exit_grace_minutes, 'minute')} to leave`].join('; ');
}

const DATE = { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' } as const;
const DATES = new Intl.DateTimeFormat('en-US', DATE);
const DATES_OF_YEARS = new Intl.DateTimeFormat('en-US', { ...DATE, year: 'numeric' });

/** `Thu, Dec 3` */
export function dayText(date: string): string {
  return DATES.format(new Date(`${date}T00:00:00Z`));
}

/** `Thu, Dec 3, 2026` */
export function dateText(date: string): string {
  return DATES_OF_YEARS.format(new Date(`${date}T00:00:00Z`));
}

/** What an action did to the days of their own. */
export type DaysOutcome = { readonly added: number; readonly first: string } | { readonly removed: string };

/** `2 days added: Fri, Dec 25, 2026 and 1 more.` */
export function outcomeText(outcome: DaysOutcome): string {
  if ('removed' in outcome) return `${dateText(outcome.removed)} was removed.`;
  const { added, first } = outcome;
  const more = added === 1 ? '' : ` and ${added - 1} more`;
  return `${countText(added, 'day')} added: ${dateText(first)}${more}.`;
}

/** What the address of the next page says of an action. Undefined: nothing. */
export function outcomeIn(query: FormValues): DaysOutcome | undefined {
  const valueOf = (name: string) => lastOf(query[name]) ?? '';
  const removed = valueOf('removed');
  if (isCalendarDate(removed)) return { removed };
  const first = valueOf('first');
  const added = /^[1-9]\d{0,2}$/.test(valueOf('added')) ? Number(valueOf('added')) : 0;
  return added > 0 && isCalendarDate(first) ? { added, first } : undefined;
}
