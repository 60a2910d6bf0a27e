import type { LoggedHours } from '#domain/history/index.js';
import {
  type DayHours,
  type EntryPointHours,
  type HoursChange,
  hoursChanges,
  type HoursException,
  type Weekday,
  WEEKDAYS,
} from '#domain/locations/index.js';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { withQuery } from '../links/with-query.js';
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

/** `6 AM – 10 PM`, `7 PM – 7 AM of the next day` */
export function hoursText(hours: DayHours): string {
  if (hours === 'always') return 'Always';
  if (hours === 'closed') return 'Closed';
  const text = `${timeText(hours.open)} – ${timeText(hours.close)}`;
  return closeAfterMidnight(hours) === undefined ? text : `${text} of the next day`;
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

/** What the own hours of an entry point changed to: there are two. */
export function gateHoursText(to: EntryPointHours): string {
  const hours = 'Hours of the site';
  return to === 'always' ? `${hours} → Always` : `Always → ${hours}`;
}

/** Most changes that are listed: 366 days may be pasted at once. */
const LISTED_CHANGES = 20;
const CHANGES_IN_MESSAGE = 8;

/** `Monday to Friday: 6 AM – 10 PM → Closed; Fri, Dec 25, 2026: hours of the week → Closed (Christmas Day)` */
export function changesText(changes: readonly HoursChange[], most = LISTED_CHANGES): string {
  const lines = linesOf(changes);
  const more = lines.length - most;
  return [...lines.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

interface ChangedRun {
  readonly first: string;
  readonly text: string;
  last: string;
  /** The index of its last weekday. */
  end: number | undefined;
}

/** A line for each change, one for neighbouring weekdays that change alike. */
function linesOf(changes: readonly HoursChange[]): string[] {
  const runs: ChangedRun[] = [];
  for (const change of changes) {
    const text = valuesOf(change).join(' → ');
    const name = nameOfPart(change);
    const weekday = change.kind === 'day' ? WEEKDAYS.indexOf(change.day) : undefined;
    const run = runs.at(-1);
    if (weekday !== undefined && run?.end === weekday - 1 && run.text === text) {
      run.last = name;
      run.end = weekday;
    } else runs.push({ first: name, last: name, text, end: weekday });
  }
  return runs.map(({ first, last, text }) => `${first === last ? first : `${first} to ${last}`}: ${text}`);
}

function valuesOf(change: HoursChange): readonly [string, string] {
  if (change.kind === 'day') return [hoursText(change.from), hoursText(change.to)];
  if (change.kind === 'exception') return [exceptionText(change.from), exceptionText(change.to)];
  return [countText(change.from, 'minute'), countText(change.to, 'minute')];
}

function exceptionText(exception: HoursException | null): string {
  if (exception === null) return 'hours of the week';
  const text = hoursText(exception.hours);
  return exception.name === undefined ? text : `${text} (${exception.name})`;
}

function nameOfPart(change: HoursChange): string {
  if (change.kind === 'day') return DAY_NAMES[change.day];
  return change.kind === 'exception' ? dateText(change.date) : 'Time to leave';
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

/** `was`: the revision of the hours that had the day; null if they were never set. */
export interface RemovedDay {
  readonly removed: string;
  readonly was: number | null;
}

/** What an action did to the days of their own. */
export type DaysOutcome =
  { readonly added: number; readonly first: string } | RemovedDay | { readonly restored: string };

/**
 * `1 day added: Fri, Dec 25, 2026 (Closed).` `2 days added: Fri, Dec 25, 2026 (Closed) and 1 more.`
 * @param exceptions the days of their own after the action
 */
export function outcomeText(outcome: DaysOutcome, exceptions: readonly HoursException[]): string {
  if ('removed' in outcome) return `${dateText(outcome.removed)} was removed.`;
  if ('restored' in outcome) return `${dateText(outcome.restored)} is back.`;
  const { added, first } = outcome;
  const day = exceptions.find(({ date }) => date === first);
  const hours = day === undefined ? '' : ` (${hoursText(day.hours)})`;
  const more = added === 1 ? '' : ` and ${added - 1} more`;
  return `${countText(added, 'day')} added: ${dateText(first)}${hours}${more}.`;
}

/** What the address of the next page says of an action. Undefined: nothing. */
export function outcomeIn(query: FormValues): DaysOutcome | undefined {
  const valueOf = (name: string) => lastOf(query[name]) ?? '';
  const removed = valueOf('removed');
  if (isCalendarDate(removed)) return { removed, was: revisionIn(valueOf('was')) };
  const restored = valueOf('restored');
  if (isCalendarDate(restored)) return { restored };
  const first = valueOf('first');
  const added = /^[1-9]\d{0,2}$/.test(valueOf('added')) ? Number(valueOf('added')) : 0;
  return added > 0 && isCalendarDate(first) ? { added, first } : undefined;
}

const SAVED_AFTER = 'after';
const FIRST = 'none';

/** The address of the page that says what a saved form changed. @param before the revision of the hours that it replaced */
export function savedPath(path: string, before: number | null): string {
  return withQuery(path, { [SAVED_AFTER]: before === null ? FIRST : String(before) });
}

/** What the change right after the hours that an address names did. Undefined: it names none of these. @param changes newest first */
export function savedText(query: FormValues, changes: readonly LoggedHours[]): string | undefined {
  const after = lastOf(query[SAVED_AFTER]) ?? '';
  const before = after === FIRST ? -1 : revisionIn(after);
  const saved = changes.findLast(
    (one) => one.kind === 'location' && before !== null && one.revision > before,
  );
  if (saved?.kind !== 'location') return undefined;
  const text = changesText(hoursChanges(saved.from, saved.to), CHANGES_IN_MESSAGE);
  return text === '' ? undefined : `${text}.`;
}

/** A removed day as the value of a button. */
export function textOfRemoved({ removed, was }: RemovedDay): string {
  return `${removed} ${was}`;
}

/** Undefined for other text. */
export function removedIn(text: string): RemovedDay | undefined {
  const [removed = '', was = ''] = text.split(' ');
  return isCalendarDate(removed) ? { removed, was: revisionIn(was) } : undefined;
}

function revisionIn(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
