export { OperatorLease, type ChangeOrigin } from './operator-lease.js';
export { Operators, type OperatorRecord, principalOf } from './operators.js';
export { credentialFaults } from './credential-faults.js';
export { enabledOperators } from './enabled-operators.js';
export { endAllSessions } from './end-all-sessions.js';
export { voidInvitations } from './void-invitations.js';
export { KeptTexts } from './kept-texts.js';
export { FirstOperator } from './first-operator.js';
export {
  OperatorAdministration,
  type Invited,
  isInScopeOf,
  type OperatorRefusal,
} from './operator-administration.js';
export { type OperatorChange, OperatorWrites } from './operator-writes.js';
export type { SignOnFacts } from './core/operator.events.js';
export { OperatorInvitations, type Spending } from './operator-invitations.js';
export type { Browser } from './browser.js';
export { OperatorLogin } from './operator-login.js';
export { OperatorSessions, type OpenedSession, type SignedOn } from './operator-sessions.js';
export {
  factsOfPerson,
  isLinked,
  mayUsePassword,
  PASSWORD_STATES,
  type SignOnRules,
} from './sign-in-ways.js';
export { WriteOperator, WriteOperatorHandler } from './write-operator.js';
export { Passwords, type PasswordCost, PASSWORD_COST, USUAL_PASSWORD_COST } from './passwords.js';
export { OPERATOR_SECRETS_KEY, SecondFactors, type SecondFactorSetup } from './second-factors.js';
export { OPERATOR_STAFF_STREAMS } from './operator-staff-streams.js';
export { OperatorsModule } from './operators.module.js';
