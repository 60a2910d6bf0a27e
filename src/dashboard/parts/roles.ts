import { OPERATOR_ROLES, type OperatorRole } from '../../http/authentication.js';

/** Whether a role may do what asks for another: what one may not do is not shown. Routes refuse it by themselves. */
export function mayDo(role: OperatorRole, least: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);
}
