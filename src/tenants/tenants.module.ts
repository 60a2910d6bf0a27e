import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { AccountChanges } from './account-changes.js';
import { AuthController } from './auth.controller.js';
import { ForcedLogout } from './forced-logout.js';
import { LoginAnswers } from './login-answer.js';
import { OperatorTenantsController } from './operator-tenants.controller.js';
import { LoginLimitGuard } from './login-limit.guard.js';
import { LoginPlaces } from './login-places.js';
import { OtpLimits } from './otp-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { OtpRequests } from './otp-requests.js';
import { PhoneTraces } from './phone-traces.js';
import { SandboxPhones } from './sandbox-phones.js';
import { SmsLimits } from './sms/sms-limits.js';
import { TextMessages } from './text-messages.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantDetailsWrites } from './tenant-details.js';
import { TenantErasure } from './tenant-erasure.js';
import { TenantLogin } from './tenant-login.js';
import { TenantSearch } from './tenant-search.js';
import { TenantSessions } from './tenant-sessions.js';
import { TenantStreams } from './tenant-streams.js';

/** Other features inject these. The dashboard's pages answer through the controllers. */
const SHARED = [
  SandboxPhones,
  TenantAccounts,
  TenantDetailsWrites,
  TenantErasure,
  TenantSearch,
  TenantSessions,
  OperatorTenantsController,
];

/**
 * Tenant accounts and how tenants log in. Needs, from global modules: the ports CLOCK, IDS, ENVIRONMENT, LOGGER and RECORDS,
 * SMS_SENDER, (optional) PERSONAL_DATA_HOLDERS, CommandRunner and what HttpModule needs.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  controllers: [AuthController, OperatorTenantsController],
  providers: [
    ...SHARED,
    AccountChanges,
    ForcedLogout,
    LoginAnswers,
    LoginLimitGuard,
    LoginPlaces,
    OtpCodes,
    OtpLimits,
    OtpMessages,
    OtpRequests,
    PhoneTraces,
    SmsLimits,
    TextMessages,
    TenantLogin,
    TenantStreams,
  ],
  exports: SHARED,
})
export class TenantsModule {}
