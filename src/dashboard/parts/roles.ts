import { OPERATOR_ROLES, type OperatorRole } from '#kernel/principals.js';

/** True if a role includes another. It only hides forms: the routes themselves refuse. */
export function mayDo(role: OperatorRole, least: OperatorRole): boolean {
  return OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(least);
}
