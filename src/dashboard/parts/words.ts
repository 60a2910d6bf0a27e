import { isInNoPms } from '#domain/tenants/index.js';
import { LRUCache } from 'lru-cache';
import { Temporal } from 'temporal-polyfill';
import { type FactKind, factOf } from '#domain/units/index.js';
import { codeText, eventText } from './labels.js';

export type Precision = 'time' | 'day' | 'minute' | 'second';

/** By precision and time zone. A format is slow to make, and a page needs hundreds. */
const instants = new Map<string, Intl.DateTimeFormat>();

function instantFormat(timeZone: string, precision: Precision): Intl.DateTimeFormat {
  const key = `${precision} ${timeZone}`;
  let format = instants.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      ...(precision === 'time' ? {} : { year: 'numeric', month: 'short', day: 'numeric' }),
      ...(precision === 'day' ? {} : { hour: 'numeric', minute: '2-digit' }),
      ...(precision === 'day' || precision === 'time' ? {} : { timeZoneName: 'short' }),
      ...(precision === 'second' ? { second: '2-digit' } : {}),
    });
    instants.set(key, format);
  }
  return format;
}

/** An instant (ISO 8601 or milliseconds) in a time zone. */
export function instantText(at: string | number, zone = 'UTC', precision: Precision = 'minute'): string {
  return instantFormat(zone, precision).format(new Date(at));
}

/** By time zone: the date as `2026-11-28`, and the words of a day without its year. */
const days = new Map<string, readonly [date: Intl.DateTimeFormat, words: Intl.DateTimeFormat]>();

function dayFormats(timeZone: string) {
  let formats = days.get(timeZone);
  if (formats === undefined) {
    const date = new Intl.DateTimeFormat('en-CA', { timeZone });
    formats = [date, new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: 'numeric' })];
    days.set(timeZone, formats);
  }
  return formats;
}

const NEARLY_YEAR_MS = 300 * 24 * 60 * 60_000;

/**
 * `Today 9:56 AM`, `Yesterday 6:05 PM`, `Nov 23, 6:12 PM`; with the year where it is long ago. Both in milliseconds.
 * @param place `within` a sentence days begin small
 */
export function recentText(at: number, zone: string, now: number, place?: 'within'): string {
  const time = instantText(at, zone, 'time');
  const day = recentDayText(at, zone, now);
  if (day !== 'Today' && day !== 'Yesterday') return `${day}, ${time}`;
  return `${place === 'within' ? day.toLowerCase() : day} ${time}`;
}

/** `Today`, `Yesterday`, `Nov 23`; with the year where it is long ago. Both in milliseconds. */
export function recentDayText(at: number, zone: string, now: number): string {
  const [date, words] = dayFormats(zone);
  const today = date.format(now);
  const day = date.format(at);
  if (day === today) return 'Today';
  if (day === Temporal.PlainDate.from(today).subtract({ days: 1 }).toString()) return 'Yesterday';
  return Math.abs(now - at) > NEARLY_YEAR_MS ? instantText(at, zone, 'day') : words.format(at);
}

/** The end of a period that ends before an instant: the day before, if the instant begins a day. */
export function lastText(before: string | number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Number(new Date(before))).toZonedDateTimeISO(zone);
  const isDayBegun = local.equals(local.startOfDay());
  return isDayBegun ? dateText(local.toPlainDate().toString(), -1) : instantText(before, zone);
}

/** By time zone. A format is slow to make, and a list of locations needs hundreds. */
const zoneTexts = new Map<string, string>();

/** A time zone by its city and common name: `Chicago, Central Time`. */
export function zoneText(zone: string): string {
  const known = zoneTexts.get(zone);
  if (known !== undefined) return known;
  const text = newZoneText(zone);
  zoneTexts.set(zone, text);
  return text;
}

function newZoneText(zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts(0).find(({ type }) => type === 'timeZoneName')!.value;
  return `${zone.split('/').at(-1)!.replaceAll('_', ' ')}, ${name}`;
}

const DATES = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
});

/** `Nov 1, 2026`, or the date some days later. */
export function dateText(date: string, later = 0): string {
  const instant = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(instant.getTime())) return date;
  instant.setUTCDate(instant.getUTCDate() + later);
  return DATES.format(instant);
}

/** By currency. */
const AMOUNTS = new LRUCache<string, Intl.NumberFormat>({
  max: 200,
  memoMethod: (currency) =>
    // Intl would show some of these currencies without decimals.
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    }),
});

/** An amount with two decimals: `$342.75`, `€342.75`. @param currency of ISO 4217 */
export function amountText(amount: number, currency: string): string {
  return AMOUNTS.memo(currency).format(amount);
}

const NORTH_AMERICAN = /^\+1(\d{3})(\d{3})(\d{4})$/;
/** The country code, which has one to three digits, and the rest. */
const INTERNATIONAL = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;
/** Three digits before at least two more. */
const GROUP = /\d{3}(?=\d{2})/g;

/** `+16175557788` as `+1 617-555-7788`, `+442079460958` as `+44 207 946 0958`. Text that is no such number stays. */
export function phoneText(phone: string): string {
  if (NORTH_AMERICAN.test(phone)) return phone.replace(NORTH_AMERICAN, '+1 $1-$2-$3');
  const [, country, rest] = INTERNATIONAL.exec(phone) ?? [];
  return rest === undefined ? phone : `+${country} ${rest.replace(GROUP, '$& ')}`;
}

/** `1 unit`, `12 units`. */
export function countText(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : several}`;
}

/** `34 gate events`, `2 × PMS data changed`. */
export function eventsText(type: string, count: number): string {
  if (type === 'EntryPointActivityReported') return countText(count, 'gate event');
  if (type === 'LockActivityReported') return countText(count, 'lock event');
  return `${count.toLocaleString('en-US')} × ${eventText(type)}`;
}

const UNITS = ['days', 'hours', 'minutes', 'seconds'] as const;

/** `15 minutes`, `1 day, 2 hours`; empty for no time. */
export function durationText(seconds: number): string {
  const length = Temporal.Duration.from({ seconds }).round({ largestUnit: 'days' });
  const parts = UNITS.filter((unit) => length[unit] > 0);
  return parts.map((unit) => countText(length[unit], unit.slice(0, -1))).join(', ');
}

/** `pms_lockout` as `pms lockout`. */
export function nameText(name: string): string {
  return name.replaceAll('_', ' ');
}

/** The value of a browser's field for a local date and time, as an instant. @throws RangeError for other text */
export function localInstant(text: string, zone: string): string {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant().toString();
}

/** As {@link localInstant}, but undefined for other text. */
export function parseLocalInstant(text: string, zone: string): string | undefined {
  try {
    return localInstant(text, zone);
  } catch {
    return undefined;
  }
}

/** An instant in milliseconds for a browser's field for a local date and time, to the minute. */
export function localText(at: number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime();
  return local.toString({ smallestUnit: 'minute' });
}

/** `2026-06-05`: the date of an instant in a time zone. */
export function localDate(at: number, zone: string): string {
  return localText(at, zone).slice(0, 'YYYY-MM-DD'.length);
}

/** The value of a fact or a policy, in words. @param currency of the location */
export function valueText(name: string, value: unknown, currency: string): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const kind = kindOf(name);
  if (typeof value === 'number') return kind === 'amount' ? amountText(value, currency) : String(value);
  if (typeof value === 'string') return kind === 'date' ? dateText(value) : textOf(name, value);
  return JSON.stringify(value);
}

function textOf(name: string, value: string): string {
  return name === 'pms_tenant_id' && isInNoPms(value) ? 'in no PMS' : codeText(name, value);
}

/** Values that checks read and that are no facts. */
const KINDS_OF_OTHERS: Readonly<Record<string, FactKind>> = { balance_threshold: 'amount', today: 'date' };

function kindOf(name: string): FactKind | undefined {
  return factOf(name)?.kind ?? KINDS_OF_OTHERS[name];
}

/** As in `Locked out: off → on`. */
export function onText(isOn: boolean): string {
  return isOn ? 'on' : 'off';
}
