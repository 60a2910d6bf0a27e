import type { CalendarDate } from '#kernel/calendar-date.js';

/** The figures of a company's day, as far as an operator sees it. They name nobody. */
export interface DayFigures {
  readonly locked_out: {
    readonly tenants: number;
    readonly units: number;
    /** In cents, for each currency. */
    readonly owed: readonly { readonly currency: string; readonly cents: number }[];
  };
  /** Units that lost access on each date. Null: they are not counted yet. */
  readonly lost: readonly UnitsOfDate[] | null;
  readonly losing: { readonly days: number; readonly dates: readonly UnitsOfDate[] };
  readonly in_auction: number;
  readonly denied_openings: number;
  readonly unsent_texts: { readonly days: number; readonly texts: number };
  readonly failures: number;
  readonly low_batteries: number;
  /** Pull sources and tokens that brought nothing, and pushes with rejected rows. */
  readonly sync_problems: number;
  readonly damaged_histories: number;
}

export interface UnitsOfDate {
  readonly date: CalendarDate;
  readonly units: number;
}
