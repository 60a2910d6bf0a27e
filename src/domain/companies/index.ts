export { type ApiTokenRecord, ApiTokens, isValidToken, type ListedApiToken } from './api-tokens.js';
export {
  joinReasons,
  joinRejections,
  REJECTED_WITHIN_MS,
  type RejectedAtSite,
  type RejectedBulk,
  type RejectionReason,
} from './rejected-bulk.js';
export { RejectionsAtSites } from './rejections-at-sites.js';
export { faultsOfApiTokens } from './api-token-faults.js';
export { CompaniesModule } from './companies.module.js';
export { type CompanyClock, CompanyClocks, notInViews } from './company-clocks.js';
export { COMPANY } from './company.aggregate.js';
export {
  COMPANY_CATEGORY,
  type CompanyEvent,
  companyStream,
  type WebhookField,
} from './core/company.events.js';
export { CompanyDirectory } from './company.directory.js';
export type { CompanyDocument } from './company.documents.js';
export { CompanyProjector } from './company.projector.js';
export { validTokens } from './valid-tokens.js';
export { MOST_WEBHOOKS } from './core/company.decide.js';
export type { CompanyRefusal } from './core/company.commands.js';
export { type CompanyOutcome, WriteCompany } from './write-company.js';
