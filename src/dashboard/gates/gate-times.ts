import { laterBy } from '../pictures/columns.js';

/** The local time of an event. */
export interface LocalTime {
  /** `2026-01-05` */
  readonly date: string;
  /** 0 is Monday. */
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

export interface NightLane<One> {
  /** The date of its first noon. */
  readonly date: string;
  /** Minutes since that noon. */
  readonly marks: readonly { readonly minute: number; readonly one: One }[];
}

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
export const HOURS = 24;

/** One format for a zone: it is slow to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    const clock = { hourCycle: 'h23', hour: '2-digit', minute: '2-digit' } as const;
    const day = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-US', { timeZone, ...day, ...clock });
    formats.set(timeZone, format);
  }
  return format;
}

/** @param at milliseconds */
export function localTime(at: number, zone: string): LocalTime {
  const parts = new Map(
    formatIn(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const of = (part: Intl.DateTimeFormatPartTypes) => parts.get(part) ?? '';
  const date = `${of('year')}-${of('month')}-${of('day')}`;
  return {
    date,
    weekday: (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7,
    minute: Number(of('hour')) * 60 + Number(of('minute')),
  };
}

const NOON = 12 * 60;

/** The lane of a time: lanes run from noon to noon, so that a night is in one. It has the date of its first noon. */
function inLane({ date, minute }: LocalTime): { readonly date: string; readonly minute: number } {
  return minute < NOON ? { date: laterBy(date, -1), minute: minute + NOON } : { date, minute: minute - NOON };
}

/** A lane for each night from one time to another, the newest first; what happened in no such lane is left out. */
export function lanesOf<One>(
  first: LocalTime,
  last: LocalTime,
  happened: readonly { readonly time: LocalTime; readonly one: One }[],
): NightLane<One>[] {
  const marks = new Map<string, { minute: number; one: One }[]>();
  const end = inLane(first).date;
  for (let { date } = inLane(last); date >= end; date = laterBy(date, -1)) marks.set(date, []);
  for (const { time, one } of happened) {
    const { date, minute } = inLane(time);
    marks.get(date)?.push({ minute, one });
  }
  return [...marks].map(([date, ofLane]) => ({ date, marks: ofLane }));
}

/** How often something happened, by weekday and hour. */
export function heatOf(times: readonly LocalTime[]): number[][] {
  const counts = WEEKDAYS.map(() => Array.from({ length: HOURS }, () => 0));
  for (const { weekday, minute } of times) counts[weekday]![Math.floor(minute / 60)]! += 1;
  return counts;
}

/** How strong a cell's colour is, from 0 for none to 4. */
export function heatLevel(count: number, most: number): number {
  return count === 0 ? 0 : Math.ceil((count / most) * 4);
}
