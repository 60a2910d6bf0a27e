import type { ResultOf } from '#kernel/result-of.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { type FormValues, lastOf, type Refused } from '../page/page.js';
import { capitalized, feedFieldText } from '../parts/labels.js';
import {
  constantIn,
  type FoundField,
  type Mapping,
  NOTHING_FOUND,
  type PullSourceAdministration,
} from '#pull/index.js';

type Tested = ResultOf<PullSourceAdministration['testSource']>;

/** The result of a test. The entries are null where the choices of a form or of a saved mapping are shown. */
export type ShownTest = Omit<Tested, 'entries' | 'failure'> & {
  readonly entries: number | null;
  readonly failure: { readonly message: string } | null;
};

interface Chosen {
  readonly name: string;
  readonly field: string | null;
}

/** The choice for each field that a test found, and for the location of all rows. */
function chosenIn(form: FormValues): Chosen[] {
  const names = [form['from'] ?? []].flat();
  const fields = [form['to'] ?? []].flat();
  const chosen = names.map((name, index) => ({ name, field: fields[index] || null }));
  const location = lastOf(form['location']);
  return location ? [...chosen, { name: location, field: LOCATION_CODE }] : chosen;
}

export const LOCATION_CODE = 'pms_location_code';

/** The mapping of the choices; empty if no name differs. @throws ApiError 422 for a field that is chosen twice */
export function chosenMapping(form: FormValues): Mapping | '' {
  const chosen = chosenIn(form);
  assertOneEach(chosen);
  const changed = chosen.filter(({ name, field }) => name !== field);
  return changed.length === 0 ? '' : Object.fromEntries(changed.map(({ name, field }) => [name, field]));
}

function assertOneEach(chosen: readonly Chosen[]): void {
  const first = new Map<string, string>();
  for (const { name, field } of chosen) {
    if (field === null) continue;
    const called = constantIn(name) === undefined ? name : 'Site of all rows';
    const other = first.get(field);
    const text = `“${other}” and “${called}” are both “${capitalized(feedFieldText(field))}”. Choose it once.`;
    if (other !== undefined) throw invalidField('to', 'duplicate', text);
    first.set(field, called);
  }
}

/** The choices of a form that was refused. */
export function chosenBefore({ values }: Pick<Refused, 'values'>): ShownTest | undefined {
  return values['from'] === undefined ? undefined : untested(chosenIn(values));
}

/** The result of a test. A failed one keeps the choices of the form. */
export function withChoices(tested: ShownTest, values: FormValues): ShownTest {
  const { failure } = tested;
  return failure === null ? tested : { ...(chosenBefore({ values }) ?? choicesOf({})), failure };
}

/** The choices that give a saved mapping. */
export function choicesOf(mapping: Mapping): ShownTest {
  return untested(Object.entries(mapping).map(([name, field]) => ({ name, field })));
}

function untested(choices: readonly Chosen[]): ShownTest {
  const fields = choices.map((one): FoundField => ({ ...one, sample: null, is_masked: false }));
  return { ...NOTHING_FOUND, failure: null, entries: null, fields };
}
