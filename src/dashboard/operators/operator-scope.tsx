import { ApiError, validationFailed } from '../../http/api-error.js';
import type { FieldFault } from '../../http/field-fault.js';
import { validForm } from '../../http/validation/valid.js';
import { OperatorChangeBody } from '../../operator/index.js';
import { type FormValues, lastOf } from '../frame/page.js';
import { Choices } from '../parts/form.js';
import { changedValues } from '../parts/initial-values.js';

export type Choice = readonly [value: string, text: string];

/** The value of the box that grants all companies. */
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
  const fault = scopeFault(isAll, ids);
  const read = () => validForm(body, { ...fields, companies: isAll || ids.length === 0 ? UNCHECKED : ids });
  if (fault !== undefined) throw validationFailed([...faultsOf(read), fault]);
  return isAll ? { ...read(), companies: null } : read();
}

/** The fault of a form where none or both were chosen. */
function scopeFault(isAll: boolean, ids: readonly string[]): FieldFault | undefined {
  if (isAll === ids.length > 0)
    return isAll
      ? {
          field: 'companies',
          code: 'conflict',
          message: 'Choose all companies or selected companies, not both.',
        }
      : { field: 'companies', code: 'required', message: 'Select at least one company.' };
  return undefined;
}

/** The changed fields only, so that another admin's change is kept. @throws ApiError 422 */
export function operatorChange(form: FormValues): OperatorChangeBody {
  const changes = changedValues(form);
  if (!('scope' in changes || 'companies' in changes)) return validForm(OperatorChangeBody, changes);
  const { scope, companies } = form;
  return operatorOf(OperatorChangeBody, { ...changes, scope, companies });
}

const ALL_COMPANIES = [[ALL, 'All companies, including new ones']] as const;

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
  return (
    <>
      <Choices
        name="companies"
        legend="Access: selected companies"
        options={[...choices, ...others]}
        chosen={chosen ?? []}
      />
      {mayGrantAll && (
        <Choices
          name="scope"
          legend="Access: all companies"
          options={ALL_COMPANIES}
          chosen={chosen === null ? [ALL] : []}
        />
      )}
    </>
  );
}

export function scopeText(companies: readonly string[] | null, choices: readonly Choice[]): string {
  if (companies === null) return 'All companies';
  const names = new Map(choices);
  return `Companies: ${companies.map((id) => names.get(id) ?? id).join(', ')}`;
}
