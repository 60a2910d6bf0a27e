import { Module } from '@nestjs/common';
import { AuditTrail } from '../documents/audit-trail.js';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { AuthController } from './auth.controller.js';
import { LoginAnswers } from './login-answer.js';
import { OperatorTenantsController } from './operator-tenants.controller.js';
import { LoginLimitGuard } from './login-limit.guard.js';
import { LoginLimits } from './login-limits.js';
import { OtpCodes } from './otp-codes.js';
import { OtpMessages } from './otp-messages.js';
import { OtpRequests } from './otp-requests.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantErasure } from './tenant-erasure.js';
import { TenantLogin } from './tenant-login.js';
import { TenantSessions } from './tenant-sessions.js';

/**
 * Tenant accounts and how tenants log in. Needs, from global modules: the ports CLOCK, IDS, ENVIRONMENT, LOGGER and RECORDS,
 * SMS_SENDER, (optional) PERSONAL_DATA_HOLDERS and what HttpModule needs.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  controllers: [AuthController, OperatorTenantsController],
  providers: [
    AuditTrail,
    LoginAnswers,
    LoginLimitGuard,
    LoginLimits,
    OtpCodes,
    OtpMessages,
    OtpRequests,
    TenantAccounts,
    TenantErasure,
    TenantLogin,
    TenantSessions,
  ],
  exports: [TenantAccounts, TenantErasure, TenantSessions],
})
export class TenantsModule {}
