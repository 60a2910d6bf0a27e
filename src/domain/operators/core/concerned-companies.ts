import type { OperatorRights } from './operator.events.js';

type Granted = Pick<OperatorRights, 'companies' | 'sites'>;

/**
 * The companies of which a change of an operator tells: those that were granted before it and after it. Null: all.
 * @param before undefined: there was no operator
 */
export function concernedCompanies(before: Granted | undefined, after: Granted): readonly string[] | null {
  const granted = [...(before === undefined ? [] : [before]), after].map(grantedCompanies);
  return granted.includes(null) ? null : [...new Set(granted.flatMap((companies) => companies ?? []))];
}

/** Sites alone limit an operator to their companies. */
function grantedCompanies({ companies, sites }: Granted): readonly string[] | null {
  if (sites === null) return companies;
  return [...(companies ?? []), ...sites.map(({ company_id }) => company_id)];
}
