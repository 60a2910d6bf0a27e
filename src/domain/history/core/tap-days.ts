import type { CalendarDate } from '#kernel/calendar-date.js';

/** What happened at the locks and entry points of a location on a local day. */
export interface TapDay {
  readonly date: CalendarDate;
  readonly openings: number;
  /** Refusals that were right. A lock that failed is none. */
  readonly refusals: number;
  /** Those of the openings whose tenant was denied at that instant. */
  readonly denied_openings: number;
}

export type TapCount = Exclude<keyof TapDay, 'date'>;

/** The counts of some days. A day is there once something was counted on it. */
export class TapDays {
  readonly #days: Map<CalendarDate, TapDay>;

  constructor(days: readonly TapDay[] = []) {
    this.#days = new Map(days.map((day) => [day.date, day]));
  }

  add(date: CalendarDate, counts: readonly TapCount[]): void {
    for (const count of counts) {
      const day = this.#days.get(date) ?? { date, openings: 0, refusals: 0, denied_openings: 0 };
      this.#days.set(date, { ...day, [count]: day[count] + 1 });
    }
  }

  /** By date, from the first one on. */
  from(first: CalendarDate): TapDay[] {
    const days = [...this.#days.values()].filter(({ date }) => date >= first);
    return days.sort((one, other) => (one.date < other.date ? -1 : 1));
  }
}
