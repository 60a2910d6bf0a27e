/** Storage format: events contain these values for ever. Add, never change. */

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The hours of one day. A `close` that is not after `open` is on the next day. Times are `HH:MM`. */
export type DayHours = 'always' | 'closed' | { readonly open: string; readonly close: string };

/** A date with hours of its own, for example a holiday. They replace those of its weekday. */
export interface HoursException {
  readonly date: string;
  readonly name?: string;
  readonly hours: DayHours;
}

/** When the gates of a location are open, in its time zone. */
export interface AccessHours {
  readonly week: Readonly<Record<Weekday, DayHours>>;
  /** Sorted by date; at most one for each date. */
  readonly exceptions: readonly HoursException[];
  /** The time to leave after closing, 0 to 30. */
  readonly exit_grace_minutes: number;
}

export const DEFAULT_EXIT_GRACE_MINUTES = 10;
export const MOST_EXIT_GRACE_MINUTES = 30;
export const MOST_EXCEPTIONS = 366;

/** Hours of the same content. Both are made by {@link accessHours}, so that equal hours have equal texts. */
export function sameHours(one: AccessHours | null, other: AccessHours | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The hours as they are stored: exceptions by date, fields in one order. */
export function accessHours({ week, exceptions, exit_grace_minutes }: AccessHours): AccessHours {
  const days = WEEKDAYS.map((day) => [day, dayHours(week[day])] as const);
  const byDate = [...exceptions].sort((one, other) => (one.date < other.date ? -1 : 1));
  return {
    week: Object.fromEntries(days) as AccessHours['week'],
    exceptions: byDate.map(({ date, name, hours }) => ({
      date,
      ...(name !== undefined && { name }),
      hours: dayHours(hours),
    })),
    exit_grace_minutes,
  };
}

function dayHours(hours: DayHours): DayHours {
  return typeof hours === 'string' ? hours : { open: hours.open, close: hours.close };
}
