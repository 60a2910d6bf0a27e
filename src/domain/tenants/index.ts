export { byHandId, isGuestId, isInNoPms, isOwnId, isPassHolderId, nameToOwner } from './tenant-account.js';
export { GuestAccounts, type GuestAccount } from './guest-accounts.js';
export { OwnAccounts } from './own-accounts.js';
export { TenantAccounts } from './tenant-accounts.js';
export {
  accountId,
  accountInsert,
  type SourceStatement,
  type TenantAccount,
  type TenantCall,
  type TenantDetails,
  type TenantKey,
  tenantName,
} from './tenant-account.js';
export { type RecordedDetails, TenantDetailsWrites } from './tenant-details.js';
export {
  type NotifiedOutcome,
  TENANT_CATEGORY,
  TENANT_EVENT_TYPES,
  type TenantEvent,
} from './core/tenant.events.js';
export { CODE_OUTCOMES, LoginObserver, TRY_OUTCOMES } from './login-observer.js';
export { nameMatcherOf, tenantMatcherOf } from './core/search-terms.js';
export { type SearchedCompanies, type SearchedPlaces, TenantSearch } from './tenant-search.js';
export { SearchTermsRenewal } from './search-terms-renewal.js';
export { TenantCalls } from './tenant-calls.js';
export { TextDelivery } from './text-delivery.js';
export { TenantSessions, type BegunSession } from './tenant-sessions.js';
export { PERSONAL_DATA_HOLDERS, type PersonalDataHolder, TenantErasure } from './tenant-erasure.js';
export { FOREIGN_TEST_NUMBER, isTestNumber, SandboxPhones } from './sandbox-phones.js';
export { SmsBudget, type SmsEnvironment } from './sms/sms-budget.js';
export { RefusingSmsBudget } from './sms/sms-limits.js';
export { SmsSender } from './sms/sms-sender.js';
export { smsAdapter } from './sms/sms-adapter.js';
export { TenantsModule } from './tenants.module.js';
export { endAllLogins } from './end-all-logins.js';
export { ForcedLogout } from './forced-logout.js';
export { type LoginNetwork, LoginNetworks } from './login-networks.js';
export { ATTEMPTS, OtpLimits, REQUESTS, SOURCE_POLICY } from './otp-limits.js';
export { OtpRequests } from './otp-requests.js';
export { SmsUnavailableError } from './sms/sms.errors.js';
export { WriteTenants } from './write-tenants.js';
export { TenantLogin } from './tenant-login.js';
