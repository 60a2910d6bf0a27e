import { WEEKDAYS } from '#domain/locations/index.js';
import type { PassHours } from '#domain/passes/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { type FormValues, lastOf } from '../page/page.js';
import { changedValues, initialName } from '../parts/initial-values.js';
import { typedInstant } from '../parts/typed-instant.js';

/** How a form chooses the hours of a pass. `kept`: those that it has. */
export type HoursChoice = 'gates' | 'own' | 'kept';

/** The names of units in a field: between commas or on lines of their own. */
export function unitNamesIn(form: FormValues): string[] {
  const typed = lastOf(form['unit_ids']) ?? '';
  const names = typed.split(/[,\n]/).map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}

/** The fields of a form that make the hours of a pass. */
const HOURS_FIELDS: readonly string[] = ['hours', 'days', 'opens', 'closes'];

export function namesHours(form: FormValues): boolean {
  return HOURS_FIELDS.some((name) => form[name] !== undefined);
}

/** A form without the fields of hours, with instants as timestamps. @throws ApiError 422 */
export function typedTerms(form: FormValues, zone: string): FormValues {
  const terms = Object.fromEntries(Object.entries(form).filter(([name]) => !HOURS_FIELDS.includes(name)));
  const instants = ['from', 'until'].flatMap((name) => {
    const typed = lastOf(form[name]);
    return typed ? [[name, typedInstant(name, typed, zone)] as const] : [];
  });
  return { ...terms, ...Object.fromEntries(instants) };
}

/** The week of a form. Undefined: it stays. Null: that of each gate. @throws ApiError 422 */
export function typedWeek(form: FormValues): PassHours | null | undefined {
  const choice = (lastOf(form['hours']) ?? 'gates') as HoursChoice;
  if (choice !== 'own' && hasTypedTimes(form)) throw invalidField('hours', 'conflict', UNUSED_TIMES);
  if (choice === 'kept') return undefined;
  if (choice === 'gates') return null;
  const days = [form['days'] ?? []].flat().filter((day) => day !== '');
  if (days.length === 0) throw invalidField('days', 'required', 'Tick the days on which it opens.');
  const hours = { open: typedTime(form, 'opens'), close: typedTime(form, 'closes') };
  return Object.fromEntries(
    WEEKDAYS.map((day) => [day, days.includes(day) ? hours : 'closed']),
  ) as unknown as PassHours;
}

const UNUSED_TIMES =
  'You chose days or times. Choose “Its own days and times”, or set them back as they were.';

/** A form without first values does not say what was typed. */
function hasTypedTimes(form: FormValues): boolean {
  const changed = changedValues(form);
  return ['days', 'opens', 'closes'].some(
    (name) => initialName(name) in form && changed[name] !== undefined && changed[name] !== '',
  );
}

function typedTime(form: FormValues, name: 'opens' | 'closes'): string {
  // Some browsers send seconds.
  const typed = (lastOf(form[name]) ?? '').replace(/^(\d\d:\d\d):\d\d$/, '$1');
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(typed)) return typed;
  throw invalidField(name, 'format', 'Give a time of day, such as 08:00.');
}
