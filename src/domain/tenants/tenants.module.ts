import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { AccountChanges } from './account-changes.js';
import { ForcedLogout } from './forced-logout.js';
import { GuestAccounts } from './guest-accounts.js';
import { LoginNetworks } from './login-networks.js';
import { OtpLimits } from './otp-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { OtpRequests } from './otp-requests.js';
import { OwnAccounts } from './own-accounts.js';
import { PhoneClaims } from './phone-claims.js';
import { SandboxPhones } from './sandbox-phones.js';
import { SmsLimits } from './sms/sms-limits.js';
import { TextDelivery } from './text-delivery.js';
import { TextMessages } from './text-messages.js';
import { SearchTermsRenewal } from './search-terms-renewal.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantCalls } from './tenant-calls.js';
import { TenantDetailsWrites } from './tenant-details.js';
import { TenantErasure } from './tenant-erasure.js';
import { TenantLogin } from './tenant-login.js';
import { TenantSearch } from './tenant-search.js';
import { TenantSessions } from './tenant-sessions.js';
import { WriteTenantsHandler } from './write-tenants.js';

/** The providers that other modules inject. */
const SHARED = [
  ForcedLogout,
  GuestAccounts,
  LoginNetworks,
  OtpLimits,
  OtpRequests,
  OwnAccounts,
  SandboxPhones,
  SearchTermsRenewal,
  TenantAccounts,
  TenantCalls,
  TenantDetailsWrites,
  TenantErasure,
  TenantLogin,
  TenantSearch,
  TenantSessions,
  TextDelivery,
];

/**
 * Tenant accounts and logins. Global modules must provide CLOCK, IDS, ENVIRONMENT, LOGGER, RECORDS, SmsSender,
 * PERSONAL_DATA_HOLDERS (optional), CommandRunner and RateLimits.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  providers: [
    ...SHARED,
    AccountChanges,
    OtpCodes,
    OtpMessages,
    PhoneClaims,
    SmsLimits,
    TextMessages,
    WriteTenantsHandler,
  ],
  exports: SHARED,
})
export class TenantsModule {}
