export {
  accountId,
  accountInsert,
  type TenantAccount,
  TenantAccounts,
  type TenantDetails,
  type TenantKey,
  tenantName,
} from './tenant-accounts.js';
export { TenantDetailsWrites } from './tenant-details.js';
export { TENANT_EVENT_TYPES, type TenantEvent } from './core/tenant.events.js';
export { CODE_OUTCOMES, LOGIN_OBSERVER, type LoginObserver, TRY_OUTCOMES } from './login-observer.js';
export { isNamed } from './core/search-terms.js';
export { type SearchedCompanies, TenantSearch } from './tenant-search.js';
export { TenantSessions } from './tenant-sessions.js';
export { PERSONAL_DATA_HOLDERS, type PersonalDataHolder } from './tenant-erasure.js';
export { FOREIGN_TEST_NUMBER, isTestNumber, SandboxPhones } from './sandbox-phones.js';
export { SMS_SENDER, type SmsSender } from './sms/sms-sender.js';
export { smsAdapter } from './sms/sms-adapter.js';
export { TenantsModule } from './tenants.module.js';
export { OperatorTenantsController } from './operator-tenants.controller.js';
export { NewTenant, TenantChange } from './operator-tenants.dto.js';
