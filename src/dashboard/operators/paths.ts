import { withQuery } from '../links/with-query.js';

export const OPERATORS_PATH = '/dashboard/operators';

/** The list with the drawer in which an operator is changed. */
export function changePath(operator_id: string): string {
  return withQuery(OPERATORS_PATH, { change: operator_id });
}

export function operatorPath(operator_id: string): string {
  return `${OPERATORS_PATH}/${operator_id}`;
}
