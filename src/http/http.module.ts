import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Callers } from './callers.js';
import { ClientAddresses } from './client-address.js';
import { CallerBounds } from './caller-bounds.js';
import { ErrorFilter } from './error-filter.js';
import { HealthController } from './health.controller.js';
import { Idempotency } from './idempotency/idempotency.js';
import { RateLimits } from './rate-limits.js';
import { RequestGuard } from './request-guard.js';
import { RequestDeadlines } from './request-deadlines.js';
import { RouteAudit } from './route-audit.js';
import { SecurityLog } from './security-log.js';
import { Draining } from './server-lifecycle.js';

/**
 * The request pipeline. What it needs is bound by `app.module.ts` in a global module: CLOCK, IDS, ENVIRONMENT, LOGGER,
 * RECORDS, TOKEN_VERIFIERS, and where they exist READINESS_CHECKS, PROJECTION_LAG, RATE_LIMITER_FACTORY,
 * STORE_PRESENCE and IDEMPOTENCY_SETTINGS.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController],
  providers: [
    Callers,
    ClientAddresses,
    CallerBounds,
    SecurityLog,
    Draining,
    Idempotency,
    RateLimits,
    RequestDeadlines,
    RouteAudit,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: RequestGuard },
  ],
  exports: [CallerBounds, ClientAddresses, Draining, Idempotency, RateLimits],
})
export class HttpModule {}
