import type { Dto } from '../../http/validation/decorators.js';
import { validForm } from '../../http/validation/valid.js';
import { type FormValues, lastOf } from '../frame/page.js';

const STOOD = 'stood.';

/** The hidden field that tells what stood in a field when its page was made. */
export function standingName(field: string): string {
  return `${STOOD}${field}`;
}

/** The fields of a form without what it tells of what stood in them. */
export function fieldsOf(form: object): FormValues {
  return Object.fromEntries(Object.entries(form as FormValues).filter(([name]) => !name.startsWith(STOOD)));
}

/**
 * The fields that whoever sent the form changed: what he left as it stood is not written back over what has been written
 * since. A field of which is not told what stood there counts as changed.
 */
export function changesOf(form: object): FormValues {
  const values = form as FormValues;
  const changed = Object.entries(fieldsOf(form)).filter(([name, value]) => {
    const stood = values[standingName(name)];
    return stood === undefined || asOneLine(value) !== asOneLine(stood);
  });
  return Object.fromEntries(changed);
}

/** Whether a form tells what stood in it, and changes nothing of that. */
export function changesNothing(form: object): boolean {
  return Object.keys(form).length > 0 && Object.keys(changesOf(form)).length === 0;
}

/** The fields that whoever sent the form left empty, where something stood in them. */
export function emptiedIn(form: object): string[] {
  const changed = Object.entries(changesOf(form)).filter(([name, value]) => {
    return asOneLine(value) === '' && asOneLine((form as FormValues)[standingName(name)]) !== '';
  });
  return changed.map(([name]) => name);
}

/** What a form changes, as the DTO describes it; what was emptied and cannot be null is refused. @throws ApiError 422 */
export function validChange<T extends object>(dto: Dto<T>, form: object): T {
  return validForm(dto, changesOf(form), emptiedIn(form));
}

/** What counts of a field, without the ends of lines that a browser drops. */
function asOneLine(value: FormValues[string]): string {
  return (lastOf(value) ?? '').replaceAll(/[\r\n]/g, '');
}
