import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { AccountChanges } from './account-changes.js';
import { AuthController } from './auth.controller.js';
import { ForcedLogout } from './forced-logout.js';
import { LoginAnswers } from './login-answer.js';
import { OperatorTenantsController } from './operator-tenants.controller.js';
import { LoginLimitGuard } from './login-limit.guard.js';
import { LoginNetworks } from './login-networks.js';
import { OtpLimits } from './otp-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { OtpRequests } from './otp-requests.js';
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

/** The providers that other modules inject. The dashboard uses the controller. */
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
 * Tenant accounts and logins. Global modules must provide CLOCK, IDS, ENVIRONMENT, LOGGER, RECORDS, SMS_SENDER,
 * PERSONAL_DATA_HOLDERS (optional), CommandRunner and the needs of HttpModule.
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
    LoginNetworks,
    OtpCodes,
    OtpLimits,
    OtpMessages,
    OtpRequests,
    SmsLimits,
    TextMessages,
    TenantLogin,
    TenantStreams,
  ],
  exports: SHARED,
})
export class TenantsModule {}
