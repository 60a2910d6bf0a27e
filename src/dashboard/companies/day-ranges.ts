import { laterBy } from '../pictures/columns.js';

export interface AskedDays {
  /** Local dates, the last one included. Undefined: without an end on this side. */
  readonly from_day?: string | undefined;
  readonly to_day?: string | undefined;
}

/** The days that one click chooses. @param today the local date */
export function dayRanges(today: string): readonly (readonly [text: string, days: AskedDays])[] {
  const last = (days: number): AskedDays => ({ from_day: laterBy(today, 1 - days), to_day: today });
  return [
    ['All days', {}],
    ['Today', last(1)],
    ['7 days', last(7)],
    ['31 days', last(31)],
  ];
}
