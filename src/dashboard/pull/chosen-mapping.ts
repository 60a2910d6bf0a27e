import { type FormValues } from '../frame/page.js';
import type { FoundField } from '../../pull/index.js';

interface Chosen {
  readonly name: string;
  readonly field: string | null;
}

/** What was chosen for each field that a test had found. */
function chosenIn(form: FormValues): Chosen[] {
  const [names, fields] = [form['from'], form['to']].map((value) => [value ?? []].flat());
  return names!.map((name, place) => ({ name, field: fields![place] || null }));
}

/** The mapping that says so; empty where all keep their names. */
export function chosenMapping(form: FormValues): Readonly<Record<string, string | null>> | '' {
  const changed = chosenIn(form).filter(({ name, field }) => name !== field);
  return changed.length === 0 ? '' : Object.fromEntries(changed.map(({ name, field }) => [name, field]));
}

/** The choices of a form that was refused, to be made again: their samples are gone. */
export function chosenFields(form: FormValues) {
  const fields = chosenIn(form).map((one): FoundField => ({ ...one, sample: null, is_masked: false }));
  return { failure: null, entries: null, has_more_pages: false, fields };
}
