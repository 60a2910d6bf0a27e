import { Controller, Get, Param } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { ActivityQuery } from './history.dto.js';
import { ActivityReads } from './activity-reads.js';
import { ACTIVITY_SCHEMA, OPERATOR_ACTIVITY_SCHEMA } from './history.schemas.js';

/** The reports of a unit's locks, for integrators (decisions §3). They are kept after the move-out (specification §2.1). */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id/activity')
export class UnitActivityController {
  constructor(private readonly reads: ActivityReads) {}

  @Costly()
  @Get()
  @Answers({
    id: 'listUnitActivity',
    description: 'Reports are kept after the tenancy.',
    summary: 'Read the reports of the locks of a unit, newest first',
    data: ACTIVITY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async list(
    @Param('crm_unit_id') key: string,
    @ValidQuery(ActivityQuery) query: ActivityQuery,
    @Context() { principal }: RequestContext<ApiTokenPrincipal>,
  ) {
    return envelope(await this.reads.listForIntegrator(principal.company_id, key, query));
  }
}

/** The reports of units, locks and entry points, for operators (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator')
export class OperatorActivityController {
  constructor(private readonly reads: ActivityReads) {}

  @Costly()
  @Get('units/:unit_id/activity')
  @Answers({
    id: 'listUnitActivityById',
    description:
      'Reports of the locks that were on the unit. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of the locks of a unit, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async ofUnit(@Param('unit_id') unit_id: string, @ValidQuery(ActivityQuery) query: ActivityQuery) {
    return envelope(await this.reads.listOfUnit(unit_id, query));
  }

  @Costly()
  @Get('locks/:lock_id/activity')
  @Answers({
    id: 'listLockActivity',
    description:
      'Reports of apps, whichever unit the lock was on. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of a lock, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['lock_not_found'],
  })
  async ofLock(@Param('lock_id') lock_id: string, @ValidQuery(ActivityQuery) query: ActivityQuery) {
    return envelope(await this.reads.listOfLock(lock_id, query));
  }

  @Costly()
  @Get('entry-points/:entry_point_id/activity')
  @Answers({
    id: 'listEntryPointActivity',
    description: 'Reports of apps. `occurred_at` orders them; `from` and `to` narrow it.',
    summary: 'Read the reports of an entry point, newest first',
    data: OPERATOR_ACTIVITY_SCHEMA,
    errors: ['entry_point_not_found'],
  })
  async ofEntryPoint(
    @Param('entry_point_id') entry_point_id: string,
    @ValidQuery(ActivityQuery) query: ActivityQuery,
  ) {
    return envelope(await this.reads.listOfEntryPoint(entry_point_id, query));
  }
}
