import type { AccessHoursBody, HoursExceptionBody } from '#api/operator/index.js';
import {
  type AccessHours,
  ALWAYS_OPEN,
  type DayHours,
  type HoursChange,
  hoursChanges,
  type HoursException,
  type Weekday,
  WEEKDAYS,
} from '#domain/locations/index.js';
import { isCalendarDate } from '#kernel/calendar-date.js';
import { type ApiError, invalidField } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { type FormValues, lastOf } from '../page/page.js';
import { changedValues, initialName } from '../parts/initial-values.js';
import { DAY_NAMES } from './hours-texts.js';

export const USUAL_WINDOW = { open: '06:00', close: '22:00' } as const;

/** The names of a day's fields in the form of a week. */
export function fieldsOfDay(day: Weekday) {
  return { kind: `${day}_kind`, open: `${day}_open`, close: `${day}_close` };
}

/** True if the form names other hours than those that it was filled with. Days typed below the week do not count. */
export function changesWeek(form: FormValues): boolean {
  const changed = changedValues(form);
  return WEEK_FIELDS.some((name) => name in changed);
}

/** Times that were typed for a day which the form does not open by hours: one of both is not meant. */
export function unusedTimes(form: FormValues): FieldFault[] {
  const changed = changedValues(form);
  const ofWeek = WEEKDAYS.flatMap((day) => {
    const { kind, open, close } = fieldsOfDay(day);
    const isTyped = [open, close].some((name) => initialName(name) in form && isFilled(changed[name]));
    return isTyped ? unusedTimesOf(form, { kind, field: weekField(day), of: DAY_NAMES[day] }) : [];
  });
  return [...ofWeek, ...unusedTimesOfDay(form)];
}

/** As {@link unusedTimes}, of the day that is typed alone. */
export function unusedTimesOfDay(form: FormValues): FieldFault[] {
  const isTyped = (['open', 'close'] as const).some((one) => {
    const value = form[DAY[one]];
    return isFilled(value) && timeIn(value) !== USUAL_WINDOW[one];
  });
  return isTyped ? unusedTimesOf(form, { kind: DAY.kind, field: DAY.kind, of: 'The day' }) : [];
}

function unusedTimesOf(
  form: FormValues,
  { kind, field, of }: { readonly kind: string; readonly field: string; readonly of: string },
): FieldFault[] {
  const chosen = lastOf(form[kind]);
  if (chosen !== 'always' && chosen !== 'closed') return [];
  const name = chosen === 'always' ? 'Always' : 'Closed';
  const message = `${of}: you typed times, but “${name}” is chosen. Choose “Hours”, or clear the times.`;
  return [{ field, code: 'conflict', message }];
}

function isFilled(value: FormValues[string]): boolean {
  return (lastOf(value) ?? '') !== '';
}

/** The changes of the week in a form that was filled with some hours. */
export function weekChangesOf(form: FormValues, seen: AccessHours | null): HoursChange[] {
  return hoursChanges(seen, hoursOfForm(form, seen ?? ALWAYS_OPEN));
}

function hoursOfForm(form: FormValues, seen: AccessHours): AccessHours {
  const changed = changedValues(form);
  const days = WEEKDAYS.map((day) => {
    const isChanged = namesOf(day).some((name) => name in changed);
    return [day, isChanged ? dayOfForm(form, day) : seen.week[day]] as const;
  });
  return {
    week: Object.fromEntries(days) as AccessHours['week'],
    exceptions: seen.exceptions,
    exit_grace_minutes: GRACE in changed ? Number(lastOf(form[GRACE])) : seen.exit_grace_minutes,
  };
}

/** The change that gives a date hours of its own, or takes them. */
export function changeOfDate(date: string, to: HoursException | null, seen: AccessHours | null): HoursChange {
  const from = seen?.exceptions.find((one) => one.date === date) ?? null;
  return { kind: 'exception', date, from, to };
}

/** A form as it is shown again: fields of the week that were not changed show the hours of now. */
export function onlyChanged(form: FormValues): FormValues {
  const changed = changedValues(form);
  const isUnchanged = (name: string) => WEEK_FIELDS.includes(name) && !(name in changed);
  const dropped = WEEK_FIELDS.filter(isUnchanged).flatMap((name) => [name, initialName(name)]);
  return Object.fromEntries(Object.entries(form).filter(([name]) => !dropped.includes(name)));
}

/** The hidden field that names the hours which the form was filled with. */
export const SEEN = 'hours_from';
const NEVER_SET = 'none';

/** @param revision null: the location was given none */
export function seenText(revision: number | null): string {
  return revision === null ? NEVER_SET : String(revision);
}

/** The revision of the hours that a form was filled with. Undefined: the form does not say. */
export function seenIn(form: FormValues): number | null | undefined {
  const text = lastOf(form[SEEN]);
  if (text === undefined) return undefined;
  return text === NEVER_SET ? null : Number(text);
}

/** The hidden field that names the gate on whose page the form is: the answer leads back there. */
export const FOR_GATE = 'for_gate';

const GRACE = 'exit_grace_minutes';
const WEEK_FIELDS: readonly string[] = [...WEEKDAYS.flatMap((day) => namesOf(day)), GRACE];

function namesOf(day: Weekday): readonly string[] {
  return Object.values(fieldsOfDay(day));
}

function dayOfForm(form: FormValues, day: Weekday): DayHours {
  return hoursIn(form, fieldsOfDay(day));
}

type HoursFields = ReturnType<typeof fieldsOfDay>;

function hoursIn(form: FormValues, { kind, open, close }: HoursFields): DayHours {
  const chosen = lastOf(form[kind]);
  if (chosen === 'always' || chosen === 'closed') return chosen;
  return { open: timeIn(form[open]), close: timeIn(form[close]) };
}

/** Without seconds, which some browsers send. */
function timeIn(value: FormValues[string]): string {
  return (lastOf(value) ?? '').slice(0, 5);
}

/** The fields of one day with hours of its own. */
export const DAY = {
  date: 'day_date',
  name: 'day_name',
  kind: 'day_kind',
  open: 'day_open',
  close: 'day_close',
} as const;

export function isOfDay(field: string): boolean {
  return (Object.values(DAY) as string[]).includes(field);
}

/** The date that is typed alone. Empty: none is. */
export function typedDateOf(form: FormValues): string {
  return (lastOf(form[DAY.date]) ?? '').trim();
}

/** The day that is typed alone. Undefined: none is. @throws ApiError 422 */
export function typedDay(form: FormValues): HoursExceptionBody | undefined {
  const date = typedDateOf(form);
  const name = (lastOf(form[DAY.name]) ?? '').trim();
  if (date === '' && name === '') return undefined;
  if (!isCalendarDate(date)) throw invalidField(DAY.date, 'format', 'Enter the date of the day.');
  return { date, hours: hoursIn(form, DAY), ...(name !== '' && { name }) };
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

/** Faults of hours in the words of the form, at its fields. @param alone the date that is typed in fields of its own */
export function faultsOfForm(
  faults: readonly FieldFault[],
  hours: AccessHoursBody,
  alone: string,
): FieldFault[] {
  return faults.map((fault) => {
    const day = WEEKDAYS.find((one) => fault.field === weekField(one));
    if (day !== undefined)
      return { ...fault, message: `${DAY_NAMES[day]}: enter both times, such as 08:00 and 17:00.` };
    if (fault.field === `access_hours.${GRACE}`)
      return {
        ...fault,
        field: GRACE,
        message: fault.message.replace(/^The .*? field/, 'The minutes to leave'),
      };
    const [, index, part] = /^access_hours\.exceptions\.(\d+)\.?(\w*)/.exec(fault.field) ?? [];
    const date = index === undefined ? undefined : hours.exceptions?.[Number(index)]?.date;
    if (date === undefined) return fault;
    if (date === alone) return faultOfDay(fault, part);
    return {
      ...fault,
      field: 'days',
      message: fault.message.replace(/^The (.*?) field/, `The $1 of ${date}`),
    };
  });
}

function faultOfDay(fault: FieldFault, part: string | undefined): FieldFault {
  if (part === 'hours')
    return { ...fault, field: DAY.open, message: 'Enter both times of the day, such as 08:00 and 17:00.' };
  const field = part === 'name' ? DAY.name : DAY.date;
  return { ...fault, field, message: fault.message.replace(/^The (.*?) field/, 'The $1 of the day') };
}

/** The field that shows a change. @param alone as above */
export function fieldOfChange(change: HoursChange, alone: string): string {
  if (change.kind === 'day') return weekField(change.day);
  if (change.kind === 'exit_grace') return GRACE;
  return change.date === alone ? DAY.date : 'days';
}

/** Where the fault of a day of the week is. */
export function weekField(day: Weekday): string {
  return `access_hours.week.${day}`;
}
