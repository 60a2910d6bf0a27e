import { Module } from '@nestjs/common';
import { SitesModule } from '../sites/index.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { CompaniesController } from './companies.controller.js';
import { FirstOperator } from './first-operator.js';
import { LocationsController } from './locations.controller.js';
import { OperatorLogin } from './operator-login.js';
import { OperatorSessions } from './operator-sessions.js';
import { Operators } from './operators.js';
import { SessionsController } from './sessions.controller.js';
import { SiteLinksController } from './site-links.controller.js';

/**
 * The operators, their sessions and their API to companies and sites. Needs, from global modules: CLOCK, IDS, RECORDS,
 * ENVIRONMENT and RateLimits, beside what SitesModule needs.
 */
@Module({
  imports: [SitesModule],
  controllers: [
    SessionsController,
    CompaniesController,
    ApiTokensController,
    LocationsController,
    SiteLinksController,
  ],
  providers: [Operators, OperatorSessions, OperatorLogin, FirstOperator],
  exports: [OperatorSessions, OperatorLogin, FirstOperator],
})
export class OperatorModule {}
