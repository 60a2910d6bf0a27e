import type { AccessHoursBody, HoursExceptionBody } from '#api/operator/index.js';
import { type AccessHours, type DayHours, type Weekday, WEEKDAYS } from '#domain/locations/index.js';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { type ApiError, invalidField } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { type FormValues, lastOf } from '../page/page.js';
import { changedValues } from '../parts/initial-values.js';
import { DAY_NAMES } from './hours-texts.js';
import { ALWAYS_OPEN } from './pictured-days.js';

export const USUAL_WINDOW = { open: '06:00', close: '22:00' } as const;

/** The names of a day's fields in the form of a week. */
export function fieldsOfDay(day: Weekday) {
  return { kind: `${day}_kind`, open: `${day}_open`, close: `${day}_close` };
}

/** True if the form names other hours than those that it was filled with. Days typed below the week do not count. */
export function changesWeek(form: FormValues): boolean {
  const changed = changedValues(form);
  return [...WEEKDAYS.flatMap((day) => namesOf(day)), GRACE].some((name) => name in changed);
}

/** The current hours with the changed days of the form: another operator's change of another day stays. */
export function hoursOfForm(form: FormValues, current: AccessHours | null): AccessHoursBody {
  const changed = changedValues(form);
  const { week, exceptions, exit_grace_minutes } = current ?? ALWAYS_OPEN;
  const days = WEEKDAYS.map((day) => {
    const isChanged = namesOf(day).some((name) => name in changed);
    return [day, isChanged ? dayOfForm(form, day) : week[day]] as const;
  });
  return {
    week: Object.fromEntries(days) as AccessHours['week'],
    exceptions,
    exit_grace_minutes: GRACE in changed ? Number(lastOf(form[GRACE])) : exit_grace_minutes,
  };
}

const GRACE = 'exit_grace_minutes';

function namesOf(day: Weekday): readonly string[] {
  return Object.values(fieldsOfDay(day));
}

function dayOfForm(form: FormValues, day: Weekday): DayHours {
  const { kind, open, close } = fieldsOfDay(day);
  const chosen = lastOf(form[kind]);
  if (chosen === 'always' || chosen === 'closed') return chosen;
  // Some browsers send seconds.
  const time = (field: string) => (lastOf(form[field]) ?? '').slice(0, 5);
  return { open: time(open), close: time(close) };
}

const WINDOW = /^(\S+)\s*(?:-|–|to)\s*(\S+)$/;
const TIME = /^([01]?\d|2[0-3]):[0-5]\d$/;

/**
 * Days from text: one a line, its cells separated by a tab, a semicolon or a comma.
 * @throws ApiError 422 that names the line
 */
export function daysOfText(text: string): HoursExceptionBody[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const days = lines.flatMap((line, index) => (line === '' ? [] : dayOfLine(line, index + 1)));
  if (days.length === 0) throw invalidField('days', 'required', 'Enter at least one day.');
  const repeated = days.find(({ date }, index) => days.findIndex((one) => one.date === date) < index);
  if (repeated !== undefined) throw invalidField('days', 'duplicate', `${repeated.date} is there twice.`);
  return days;
}

function dayOfLine(line: string, number: number): HoursExceptionBody {
  const refuse = (fault: string) => invalidField('days', 'format', `Line ${number}: ${fault}`);
  const separator = ['\t', ';', ','].find((one) => line.includes(one)) ?? ',';
  const [date = '', hours = '', ...name] = line.split(separator).map((cell) => cell.trim());
  if (!isCalendarDate(date)) throw refuse(`“${date}” is no date. Write it like 2026-12-25.`);
  const named = name.join(' ').trim();
  return { date, hours: hoursOfText(hours, refuse), ...(named !== '' && { name: named }) };
}

function hoursOfText(text: string, refuse: (fault: string) => ApiError): DayHours {
  const word = text.toLowerCase();
  if (word === 'closed' || word === 'always') return word;
  const [, open, close] = WINDOW.exec(word.replace(/\s*([-–])\s*/, '$1')) ?? [];
  if (open === undefined || close === undefined)
    throw refuse(`${text === '' ? 'hours are missing' : `“${text}” is no hours`}. ${WRITE_HOURS}`);
  const wrong = [open, close].find((time) => !TIME.test(time));
  if (wrong !== undefined) throw refuse(`“${wrong}” is no time.`);
  return { open: open.padStart(5, '0'), close: close.padStart(5, '0') };
}

const WRITE_HOURS = 'Write closed, always, or times like 6:00 to 14:00.';

/** Faults of hours in the words of the form, at its fields. */
export function faultsOfForm(faults: readonly FieldFault[], hours: AccessHoursBody): FieldFault[] {
  return faults.map((fault) => {
    const day = WEEKDAYS.find((one) => fault.field === weekField(one));
    if (day !== undefined) return { ...fault, message: `${DAY_NAMES[day]}: enter both times as HH:MM.` };
    if (fault.field === `access_hours.${GRACE}`)
      return {
        ...fault,
        field: GRACE,
        message: fault.message.replace(/^The .*? field/, 'The minutes to leave'),
      };
    const index = /^access_hours\.exceptions\.(\d+)/.exec(fault.field)?.[1];
    const date = index === undefined ? undefined : hours.exceptions?.[Number(index)]?.date;
    if (date === undefined) return fault;
    return {
      ...fault,
      field: 'days',
      message: fault.message.replace(/^The (.*?) field/, `The $1 of ${date}`),
    };
  });
}

/** Where the fault of a day of the week is. */
export function weekField(day: Weekday): string {
  return `access_hours.week.${day}`;
}
