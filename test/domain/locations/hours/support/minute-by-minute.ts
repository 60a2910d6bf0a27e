import type { AccessHours } from '#domain/locations/core/hours/access-hours.js';

export const MINUTE = 60_000;
const MINUTES_A_DAY = 1_440;
/** No zone of these tests changes its clocks within such a part of an hour. */
const OFFSET_STEP = 30 * MINUTE;

export interface Minutes {
  readonly from: number;
  /** For each minute, the latest local time that the clock has shown until then, in minutes since 1970. */
  readonly reached: Int32Array;
}

/** Reads the clock of a zone at every minute, by `Intl` alone. */
export function minutesOf(timezone: string, from: number, until: number): Minutes {
  const count = (until - from) / MINUTE;
  const reached = new Int32Array(count);
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' });
  let offset = 0;
  let latest = -Infinity;
  for (let index = 0; index < count; index += 1) {
    const instant = from + index * MINUTE;
    if (instant % OFFSET_STEP === 0 || index === 0) offset = offsetAt(format, instant);
    latest = Math.max(latest, instant / MINUTE + offset);
    reached[index] = latest;
  }
  return { from, reached };
}

function offsetAt(format: Intl.DateTimeFormat, instant: number): number {
  const text = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')!.value;
  const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text)!;
  return sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}

/** The instants at which hours open or close, found by looking at every minute. */
export function changesByMinute(hours: AccessHours, { from, reached }: Minutes) {
  const windows = new Map<number, readonly [number, number] | undefined>();
  const windowOf = (day: number) => {
    if (!windows.has(day)) windows.set(day, windowInMinutes(hours, day));
    return windows.get(day);
  };
  const changes: { at: number; isOpen: boolean }[] = [];
  let wasOpen: boolean | undefined;
  for (let index = 0; index < reached.length; index += 1) {
    const minute = reached[index]!;
    const today = Math.floor(minute / MINUTES_A_DAY);
    const isOpen = [windowOf(today - 1), windowOf(today)].some(
      (window) => window !== undefined && minute >= window[0] && minute < window[1],
    );
    if (isOpen !== wasOpen) changes.push({ at: from + index * MINUTE, isOpen });
    wasOpen = isOpen;
  }
  return changes;
}

function windowInMinutes(hours: AccessHours, day: number): readonly [number, number] | undefined {
  const midnight = new Date(day * MINUTES_A_DAY * MINUTE);
  const date = midnight.toISOString().slice(0, 10);
  const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
  const exception = hours.exceptions.find((one) => one.date === date);
  const ofDay = exception?.hours ?? hours.week[names[midnight.getUTCDay()]!];
  const start = day * MINUTES_A_DAY;
  if (ofDay === 'closed') return undefined;
  if (ofDay === 'always') return [start, start + MINUTES_A_DAY];
  const [open, close] = [minutesIn(ofDay.open), minutesIn(ofDay.close)];
  return [start + open, start + (close > open ? close : close + MINUTES_A_DAY)];
}

function minutesIn(time: string): number {
  const [hours, minutes] = time.split(':').map(Number);
  return hours! * 60 + minutes!;
}
