import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { ClientAddresses } from './client-address.js';
import { CallerBounds } from './caller-bounds.js';
import { ErrorFilter } from './error-filter.js';
import { HealthController } from './health.controller.js';
import { Idempotency } from './pipeline/idempotency.js';
import { RateLimits } from './pipeline/rate-limits.js';
import { DescribedRoutes } from './openapi/described-routes.js';
import { DocsController } from './openapi/docs.controller.js';
import { OpenApi, OpenApiController } from './openapi/openapi.controller.js';
import { Authentication, RequestPipeline } from './pipeline/request-pipeline.js';
import { RequestDeadlines } from './pipeline/request-deadlines.js';
import { RouteAudit } from './route-audit.js';
import { SecurityLog } from './security-log.js';
import { Draining } from './server-lifecycle.js';

/**
 * The request pipeline. Global modules must provide CLOCK, IDS, ENVIRONMENT, LOGGER, RECORDS and TOKEN_VERIFIERS. Optional:
 * READINESS_CHECKS, PROJECTION_LAG, STORE_PRESENCE, TRAFFIC_OBSERVER and EMBEDDED.
 */
@Global()
@Module({
  imports: [DiscoveryModule],
  controllers: [HealthController, OpenApiController, DocsController],
  providers: [
    Authentication,
    ClientAddresses,
    CallerBounds,
    SecurityLog,
    Draining,
    DescribedRoutes,
    Idempotency,
    OpenApi,
    RateLimits,
    RequestDeadlines,
    RouteAudit,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: RequestPipeline },
  ],
  exports: [CallerBounds, ClientAddresses, Draining, Idempotency, RateLimits, SecurityLog],
})
export class HttpModule {}
