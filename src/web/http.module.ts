import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { ClientAddresses } from './client-address.js';
import { CallerBounds } from './caller-bounds.js';
import { ErrorFilter } from './error-filter.js';
import { HealthController } from './health.controller.js';
import { Idempotency } from './pipeline/idempotency.js';
import { KeptBytes } from './pipeline/kept-bytes.js';
import { RateLimiter } from '#kernel/rate-limiter.js';
import { RateLimits } from './pipeline/rate-limits.js';
import { DescribedRoutes } from './openapi/described-routes.js';
import { DocsController } from './openapi/docs.controller.js';
import { OpenApi } from './openapi/openapi.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { AnswerInterceptor } from './pipeline/answer-interceptor.js';
import { FinishedAnswers } from './pipeline/finished-answers.js';
import { CallerAdmission } from './pipeline/caller-admission.js';
import { RequestPipeline } from './pipeline/request-pipeline.js';
import { RequestDeadlines } from './pipeline/request-deadlines.js';
import { PublicAddress } from './public-address.js';
import { Refusals } from './refusals.js';
import { RouteAudit } from './route-audit.js';
import { SecurityLog } from './security-log.js';
import { Draining } from './server-lifecycle.js';

/**
 * The request pipeline. Global modules must provide CLOCK, IDS, ENVIRONMENT, LOGGER, RECORDS and TOKEN_VERIFIERS. Optional:
 * READINESS_CHECKS, ProjectionLag, STORE_PRESENCE, TrafficObserver and EMBEDDED.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, OpenApiController, DocsController],
  providers: [
    CallerAdmission,
    ClientAddresses,
    CallerBounds,
    SecurityLog,
    Draining,
    FinishedAnswers,
    Refusals,
    DescribedRoutes,
    Idempotency,
    KeptBytes,
    OpenApi,
    PublicAddress,
    RateLimits,
    { provide: RateLimiter, useExisting: RateLimits },
    RequestDeadlines,
    RouteAudit,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: RequestPipeline },
    { provide: APP_INTERCEPTOR, useClass: AnswerInterceptor },
  ],
  exports: [
    CallerBounds,
    ClientAddresses,
    Draining,
    FinishedAnswers,
    Idempotency,
    PublicAddress,
    RateLimiter,
    RateLimits,
    Refusals,
    SecurityLog,
  ],
})
export class HttpModule {}
