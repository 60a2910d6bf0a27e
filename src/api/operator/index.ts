export { OperatorApiModule } from './operator-api.module.js';
export { ThingOwners } from './thing-owners.js';
export { LogAudit, type UnitProof } from './audit/log-audit.js';
export { type Examination, LogExaminations } from './audit/log-examinations.js';
export { assertSeesWholeLog, seesWholeLog } from './audit/whole-log.js';
export { ApiTokenAdministration } from './api-token-administration.js';
export { CallAdministration } from './today/call-administration.js';
export { CompanyAdministration } from './company-administration.js';
export { SandboxClockListener, SandboxAdministration } from './sandbox-administration.js';
export { EquipmentAdministration } from './equipment-administration.js';
export {
  ApiTokenBody,
  EntryPointChangeBody,
  LockChangeBody,
  LocationChangeBody,
  LocationPolicyBody,
  NameBody,
  NewCompanyBody,
  NewEntryPointBody,
  NewLocationBody,
  LockReplacementBody,
  NewLockBody,
} from './facility.dto.js';
export { ReachedBody } from './contact/contact.dto.js';
export { NoticesBody } from './notices/notices.dto.js';
export { type NoticeAnswer, ToldNotices } from './notices/told-notices.js';
export { LocationOutlook } from './location-outlook.js';
export { LocationAdministration } from './location-administration.js';
export { CurrentPasswordBody } from './operator-proof.dto.js';
export { OperatorAccounts } from './operator-accounts.js';
export { assertDone, TOO_WEAK } from './operator.answers.js';
export {
  InvitationBody,
  InvitedOperatorBody,
  LoginBody,
  NewOperatorBody,
  OperatorChangeBody,
  PasswordBody,
  SecondFactorRemovalBody,
  SecondFactorSetupBody,
  SignInCodeBody,
} from './operators.dto.js';
export { HttpBrowsers } from './http-browsers.js';
export { OwnProof, type ProofAsked } from './own-proof.js';
export { OwnSecondFactor } from './own-second-factor.js';
export {
  type Found,
  type FoundLock,
  type FoundTenant,
  type CompanyNames,
  type FoundUnit,
  type RentedUnits,
  SearchEverywhere,
} from './search/search-everywhere.js';
export { OwnSummaries } from './summaries/own-summaries.js';
export { TodayFigures } from './summaries/today-figures.js';
export { PassAdministration } from './passes/pass-administration.js';
export { PassReads, type ShownPass, type ShownPassDetail } from './passes/pass-reads.js';
export { NewPassBody, PassChangeBody } from './passes/passes.dto.js';
export { OwnAccount } from './own-account.js';
export { type SetupResult, SiteSetup } from './setup/site-setup.js';
export { TenantReads } from './tenants/tenant-reads.js';
export { daysLate } from './today/days-late.js';
export { CompanyOverview } from './today/company-overview.js';
export { ALL_STAFF_STREAMS, isOfStaff, STAFF_TYPES } from './today/staff-kinds.js';
export { ChangesQuery, TodayQuery } from './today/today.dto.js';
export type { Today } from './today/today.schemas.js';
export type { DamagedHistory } from './today/damaged-histories.js';
export { type ListedUnits, OperatorUnitSearch, type UnitSearchPage } from './units/operator-unit-search.js';
export { NewPersonShares } from './units/new-person-shares.js';
export { UnitAdministration } from './units/unit-administration.js';
export {
  NewPersonShareBody,
  NewUnitBody,
  OverrideBody,
  ShareBody,
  TransferBody,
  UnitNameBody,
  UnitSearchQuery,
} from './units/operator-units.dto.js';
export { LeaseBody, PersonMoveInBody } from './move-in/move-in.dto.js';
export { type KnownTenant, MovesInByHand } from './move-in/moves-in-by-hand.js';
export { StandaloneUnitWrites } from './units/standalone-unit-writes.js';
export { UnitTransfers } from './units/unit-transfers.js';
export { RebuildAdministration } from './rebuild-administration.js';
export { NewTenant, TenantChange, TenantSearchQuery } from './tenants/operator-tenants.dto.js';
export { TenantAdministration } from './tenants/tenant-administration.js';
export { OperatorWebhooks } from './webhooks/operator-webhooks.js';
export { WebhookBody } from './webhooks/webhooks.dto.js';
export { type AccessHoursBody, exceptionFaults, type HoursExceptionBody } from './hours/access-hours.dto.js';
export { contradictingSince, HoursAdministration, type SeenHours } from './hours/hours-administration.js';
export { SignOnAdministration } from './sign-on/sign-on-administration.js';
export { SubjectBody } from './sign-on/sign-on.dto.js';
export { type EntryPointPeople, EntryPointPeopleReader } from './people/entry-point-people.reader.js';
export { UnitPeopleReader, type UnitPeople } from './people/unit-people.reader.js';
