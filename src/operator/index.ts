export { FirstOperator } from './first-operator.js';
export { OperatorAdministration } from './operator-administration.js';
export { type Browser, OperatorLogin } from './operator-login.js';
export { type OpenedSession, OperatorSessions } from './operator-sessions.js';
export { OperatorStreams } from './operator-streams.js';
export { type ChangeOrigin, OperatorLease } from './operator-lease.js';
export { OperatorModule } from './operator.module.js';
export { type OperatorRecord, Operators } from './operators.js';
export { PASSWORD_COST, type PasswordCost, Passwords, USUAL_PASSWORD_COST } from './passwords.js';
export { ThingOwners } from './thing-owners.js';
export { credentialFaults } from './audit/credential-faults.js';
export { type Examination, LogAudit, type UnitProof } from './audit/log-audit.js';
export type { FiledCheckpoint } from '../log/proof/newest-checkpoints.js';
export { ApiTokensController } from './api-tokens.controller.js';
export { CompaniesController } from './companies.controller.js';
export {
  SANDBOX_CLOCK_LISTENER,
  SandboxClockController,
  type SandboxClockListener,
} from './sandbox-clock.controller.js';
export { SandboxMessagesController } from './sandbox-messages.controller.js';
export { FacilityLinksController } from './facility-links.controller.js';
export {
  ApiTokenBody,
  EntryPointChangeBody,
  LocationChangeBody,
  NameBody,
  NewCompanyBody,
  NewEntryPointBody,
  NewLocationBody,
  NewLockBody,
} from './facility.dto.js';
export { LocationOutlookController } from './location-outlook.controller.js';
export { LocationsController } from './locations.controller.js';
export { OperatorsController, TOO_WEAK } from './operators.controller.js';
export {
  LoginBody,
  NewOperatorBody,
  OperatorChangeBody,
  PasswordBody,
  CurrentPasswordBody,
  SecondFactorRemovalBody,
  SecondFactorSetupBody,
  SignInCodeBody,
} from './operators.dto.js';
export { SecondFactorController } from './second-factor.controller.js';
export { OPERATOR_SECRETS_KEY, SecondFactors, type SecondFactorSetup } from './second-factors.js';
export {
  type Found,
  type FoundLock,
  type FoundTenant,
  type CompanyNames,
  type FoundUnit,
  type RentedUnits,
  SearchEverywhere,
} from './search/search-everywhere.js';
export { SessionController } from './session.controller.js';
export { readSetup } from './setup/setup-rows.js';
export { type SetupResult, SiteSetup } from './setup/site-setup.js';
export { TenantReadsController, TenantSearchQuery } from './tenants/tenant-reads.controller.js';
export { ChangesQuery, CompanyTodayController, TodayQuery } from './today/company-today.controller.js';
export type { Today } from './today/company-today.js';
export { type ListedUnits, OperatorUnitSearch, type UnitSearchPage } from './units/operator-unit-search.js';
export { OperatorUnitsController } from './units/operator-units.controller.js';
export { NewUnitBody, OverrideBody, UnitNameBody, UnitSearchQuery } from './units/operator-units.dto.js';
export { StandaloneUnitsController } from './units/standalone-units.controller.js';
export { ViewsRebuildController } from './views-rebuild.controller.js';
