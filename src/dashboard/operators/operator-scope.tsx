import { ApiError, validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { validForm } from '#web/validation/read-form.js';
import { OperatorChangeBody } from '#api/operator/index.js';
import { type FormValues, lastOf } from '../page/page.js';
import { Choices, Radios } from '../parts/choices.js';
import { changedValues } from '../parts/initial-values.js';

export type Choice = readonly [value: string, text: string];

/** The scope that grants all companies, whichever are ticked: the page hides their boxes then. */
const ALL = 'all';

/** A placeholder that passes the check of a body, for forms that grant all companies. */
const UNCHECKED = [ALL];

/** The faults for which an act is refused; empty if it is not. */
function faultsOf(act: () => unknown): readonly FieldFault[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return error.details;
    throw error;
  }
}

/** The fields of a form with the companies that it grants. @throws ApiError 422 with all faults */
export function operatorOf<Body extends object>(body: new () => Body, form: FormValues): Body {
  const { scope, companies, ...fields } = form;
  const isAll = lastOf(scope) === ALL;
  const ids = [companies ?? []].flat().filter((id) => id !== '');
  const read = () => validForm(body, { ...fields, companies: isAll || ids.length === 0 ? UNCHECKED : ids });
  if (!isAll && ids.length === 0) throw validationFailed([...faultsOf(read), NONE_SELECTED]);
  return isAll ? { ...read(), companies: null } : read();
}

const NONE_SELECTED = {
  field: 'companies',
  code: 'required',
  message: 'Select at least one company.',
} as const;

/** The changed fields only, so that another admin's change is kept. @throws ApiError 422 */
export function operatorChange(form: FormValues): OperatorChangeBody {
  const changes = changedValues(form);
  if (!('scope' in changes || 'companies' in changes)) return validForm(OperatorChangeBody, changes);
  const { scope, companies } = form;
  return operatorOf(OperatorChangeBody, { ...changes, scope, companies });
}

const SCOPES = [
  ['some', 'Selected companies'],
  [ALL, 'All companies, including new ones'],
] as const;

interface ScopeProps {
  readonly choices: readonly Choice[];
  /** Null for all; empty for a new operator. */
  readonly chosen: readonly string[] | null;
  /** False for an admin of some companies, who cannot grant all. */
  readonly mayGrantAll: boolean;
}

export function scopeFields({ choices, chosen, mayGrantAll }: ScopeProps) {
  const known = new Set(choices.map(([company_id]) => company_id));
  const others = (chosen ?? []).filter((id) => !known.has(id)).map((id): Choice => [id, id]);
  const options = [...choices, ...others];
  return (
    <>
      {mayGrantAll && (
        <Radios name="scope" legend="Access" options={SCOPES} value={chosen === null ? ALL : 'some'} />
      )}
      {options.length === 0 ? (
        <p class="hint">There is no company to select yet.</p>
      ) : (
        <Choices name="companies" legend="Selected companies" options={options} chosen={chosen ?? []} />
      )}
    </>
  );
}

export function scopeText(companies: readonly string[] | null, choices: readonly Choice[]): string {
  if (companies === null) return 'All companies';
  const names = new Map(choices);
  return `Companies: ${companies.map((id) => names.get(id) ?? id).join(', ')}`;
}
