import type { Dto } from '#web/validation/decorators.js';
import { validForm } from '#web/validation/read-form.js';
import { type FormValues, lastOf } from '../page/page.js';

const INITIAL = 'initial.';

/** The hidden field with the first value of a field. */
export function initialName(field: string): string {
  return `${INITIAL}${field}`;
}

/** The fields of a form without the hidden first values. */
export function fieldsOf(form: object): FormValues {
  return Object.fromEntries(Object.entries(form as FormValues).filter(([name]) => !name.startsWith(INITIAL)));
}

/**
 * The changed fields of a form. An unchanged field must not overwrite what another operator wrote meanwhile. A field without a
 * first value counts as changed.
 */
export function changedValues(form: object): FormValues {
  const values = form as FormValues;
  const changed = Object.entries(fieldsOf(form)).filter(([name, value]) => {
    const initial = values[initialName(name)];
    return initial === undefined || !isSame(value, initial);
  });
  return Object.fromEntries(changed);
}

export interface ListChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The entries that a form adds to a list and takes from it: what others add meanwhile stays. */
export function changeOfList(form: object, field: string): ListChange {
  const entriesIn = (name: string) => [(form as FormValues)[name] ?? []].flat().filter((one) => one !== '');
  const before = entriesIn(initialName(field));
  const after = entriesIn(field);
  return {
    add: after.filter((one) => !before.includes(one)),
    remove: before.filter((one) => !after.includes(one)),
  };
}

export function changesNothing(form: object): boolean {
  return Object.keys(form).length > 0 && Object.keys(changedValues(form)).length === 0;
}

/** The fields that were emptied. */
export function emptiedIn(form: object): string[] {
  const changed = Object.entries(changedValues(form)).filter(([name, value]) => {
    return asOneLine(value) === '' && asOneLine((form as FormValues)[initialName(name)]) !== '';
  });
  return changed.map(([name]) => name);
}

/** The changes of a form. @throws ApiError 422, also for an emptied field that cannot be null */
export function validChange<T extends object>(dto: Dto<T>, form: object): T {
  return validForm(dto, changedValues(form), emptiedIn(form));
}

/** If a field has no list of first values, its last value counts. */
function isSame(value: FormValues[string], initial: FormValues[string]): boolean {
  if (!Array.isArray(initial)) return asOneLine(value) === asOneLine(initial);
  return JSON.stringify([value ?? []].flat()) === JSON.stringify(initial);
}

/** Browsers change line ends, so they are not compared. */
function asOneLine(value: FormValues[string]): string {
  return (lastOf(value) ?? '').replaceAll(/[\r\n]/g, '');
}
