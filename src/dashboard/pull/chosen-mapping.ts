import { type FormValues } from '../frame/page.js';
import { type FoundField, NOTHING_FOUND } from '../../pull/index.js';

interface Chosen {
  readonly name: string;
  readonly field: string | null;
}

/** The choice for each field that a test found. */
function chosenIn(form: FormValues): Chosen[] {
  const [names, fields] = [form['from'], form['to']].map((value) => [value ?? []].flat());
  return names!.map((name, place) => ({ name, field: fields![place] || null }));
}

/** The mapping of the choices; empty if no name differs. */
export function chosenMapping(form: FormValues): Readonly<Record<string, string | null>> | '' {
  const changed = chosenIn(form).filter(({ name, field }) => name !== field);
  return changed.length === 0 ? '' : Object.fromEntries(changed.map(({ name, field }) => [name, field]));
}

/** The choices of a refused form, without samples. */
export function chosenFields(form: FormValues) {
  const fields = chosenIn(form).map((one): FoundField => ({ ...one, sample: null, is_masked: false }));
  return { ...NOTHING_FOUND, failure: null, entries: null, fields };
}
