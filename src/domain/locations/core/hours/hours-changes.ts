import {
  type AccessHours,
  accessHours,
  type DayHours,
  DEFAULT_EXIT_GRACE_MINUTES,
  type HoursException,
  type Weekday,
  WEEKDAYS,
} from './access-hours.js';

/** One part of hours that changes. The other parts stay as they are. */
export type HoursChange =
  | { readonly kind: 'day'; readonly day: Weekday; readonly from: DayHours; readonly to: DayHours }
  /** Null: the date has no hours of its own. */
  | {
      readonly kind: 'exception';
      readonly date: string;
      readonly from: HoursException | null;
      readonly to: HoursException | null;
    }
  | { readonly kind: 'exit_grace'; readonly from: number; readonly to: number };

/** The hours of a location that was given none. */
export const ALWAYS_OPEN: AccessHours = {
  week: {
    mon: 'always',
    tue: 'always',
    wed: 'always',
    thu: 'always',
    fri: 'always',
    sat: 'always',
    sun: 'always',
  },
  exceptions: [],
  exit_grace_minutes: DEFAULT_EXIT_GRACE_MINUTES,
};

/** What differs: days from Monday on, then dates in their order, then the time to leave. Null: always open. */
export function hoursChanges(before: AccessHours | null, after: AccessHours | null): HoursChange[] {
  const from = before ?? ALWAYS_OPEN;
  const to = after ?? ALWAYS_OPEN;
  const dates = new Set([...from.exceptions, ...to.exceptions].map(({ date }) => date));
  const changes: HoursChange[] = [
    ...WEEKDAYS.map((day) => ({ kind: 'day', day, from: from.week[day], to: to.week[day] }) as const),
    ...[...dates]
      .sort()
      .map((date) => ({ kind: 'exception', date, from: onDate(from, date), to: onDate(to, date) }) as const),
    { kind: 'exit_grace', from: from.exit_grace_minutes, to: to.exit_grace_minutes },
  ];
  return changes.filter((one) => !isSame(one.from, one.to));
}

/** Hours after changes. Each change counts whatever it was made from. */
export function withChanges(hours: AccessHours | null, changes: readonly HoursChange[]): AccessHours {
  return accessHours(changes.reduce(withChange, hours ?? ALWAYS_OPEN));
}

/** Those of their changes that make something else of a part that my changes change, too. */
export function contradicting(mine: readonly HoursChange[], theirs: readonly HoursChange[]): HoursChange[] {
  return theirs.filter((one) =>
    mine.some((other) => partOf(other) === partOf(one) && !isSame(other.to, one.to)),
  );
}

function withChange(hours: AccessHours, change: HoursChange): AccessHours {
  if (change.kind === 'day') return { ...hours, week: { ...hours.week, [change.day]: change.to } };
  if (change.kind === 'exit_grace') return { ...hours, exit_grace_minutes: change.to };
  const others = hours.exceptions.filter(({ date }) => date !== change.date);
  return { ...hours, exceptions: change.to === null ? others : [...others, change.to] };
}

function partOf(change: HoursChange): string {
  if (change.kind === 'day') return change.day;
  return change.kind === 'exception' ? change.date : change.kind;
}

function onDate({ exceptions }: AccessHours, date: string): HoursException | null {
  return exceptions.find((one) => one.date === date) ?? null;
}

type Part = HoursChange['from'];

function isSame(one: Part, other: Part): boolean {
  return textOf(one) === textOf(other);
}

/** Equal parts have equal texts: their fields in one order. */
function textOf(part: Part): string {
  if (part === null || typeof part !== 'object') return String(part);
  if ('open' in part) return `${part.open}-${part.close}`;
  return JSON.stringify([part.date, part.name ?? null, textOf(part.hours)]);
}
