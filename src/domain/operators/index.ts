export { OperatorLease, type ChangeOrigin } from './operator-lease.js';
export { Operators, PASSWORD_STATES, type OperatorRecord, principalOf } from './operators.js';
export { credentialFaults } from './credential-faults.js';
export { enabledOperators } from './enabled-operators.js';
export { endAllSessions } from './end-all-sessions.js';
export { FirstOperator } from './first-operator.js';
export {
  OperatorAdministration,
  type Invited,
  isInScopeOf,
  type OperatorRefusal,
} from './operator-administration.js';
export { OperatorInvitations, type Spending } from './operator-invitations.js';
export type { Browser } from './browser.js';
export { OperatorLogin } from './operator-login.js';
export { OperatorSessions, type OpenedSession } from './operator-sessions.js';
export { WriteOperator, WriteOperatorHandler } from './write-operator.js';
export { Passwords, type PasswordCost, PASSWORD_COST, USUAL_PASSWORD_COST } from './passwords.js';
export { OPERATOR_SECRETS_KEY, SecondFactors, type SecondFactorSetup } from './second-factors.js';
export { OperatorsModule } from './operators.module.js';
