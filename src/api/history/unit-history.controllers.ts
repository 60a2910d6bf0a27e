import { Controller, Get, Param } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { AsOfQuery, HistoryQuery } from './history.dto.js';
import { UnitHistoryReads } from './unit-history-reads.js';
import { HISTORY_SCHEMA, OPERATOR_UNIT_AS_OF_SCHEMA } from './history.schemas.js';
import { UNIT_AS_OF_SCHEMA } from '#api/shapes/index.js';

type PushContext = RequestContext<ApiTokenPrincipal>;

/** The history of a unit, for integrators. */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id')
export class UnitHistoryController {
  constructor(private readonly reads: UnitHistoryReads) {}

  @Costly()
  @Get('history')
  @Answers({
    id: 'listUnitHistory',
    description:
      'Every change of facts and access, by default oldest first. A change by the calendar alone has the type `AccessChanged` and no revision.',
    summary: 'Read the history of a unit',
    data: HISTORY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async history(
    @Param('crm_unit_id') key: string,
    @ValidQuery(HistoryQuery) query: HistoryQuery,
    @Context() { principal }: PushContext,
  ) {
    return envelope(await this.reads.listForIntegrator(principal.company_id, key, query));
  }

  @Costly()
  @Get('as-of')
  @Answers({
    id: 'getUnitAsOf',
    description: 'The unit exactly as a read at that instant would have answered.',
    summary: 'Read a unit as of an instant',
    data: UNIT_AS_OF_SCHEMA,
    errors: ['unit_not_found'],
  })
  async asOf(
    @Param('crm_unit_id') key: string,
    @ValidQuery(AsOfQuery) query: AsOfQuery,
    @Context() { principal }: PushContext,
  ) {
    return envelope(await this.reads.readAsOfForIntegrator(principal.company_id, key, query));
  }
}

/** The history of a unit, for operators. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/units/:unit_id')
export class OperatorUnitHistoryController {
  constructor(private readonly reads: UnitHistoryReads) {}

  @Costly()
  @Get('history')
  @Answers({
    id: 'listUnitHistoryById',
    description:
      'Events of the unit, and changes by the calendar, by other units and by policies. `from` and `to` narrow it, `order` sorts it.',
    summary: 'Read the history of a unit',
    data: HISTORY_SCHEMA,
    errors: ['unit_not_found'],
  })
  async history(@Param('unit_id') unit_id: string, @ValidQuery(HistoryQuery) query: HistoryQuery) {
    return envelope(await this.reads.listForOperator(unit_id, query));
  }

  @Costly()
  @Get('as-of')
  @Answers({
    id: 'getUnitAsOfById',
    description:
      'Facts, policy and decision as they stood then, and who could open the unit. Before the unit existed the answer is 404.',
    summary: 'Read a unit as of an instant',
    data: OPERATOR_UNIT_AS_OF_SCHEMA,
    errors: ['unit_not_found'],
  })
  async asOf(@Param('unit_id') unit_id: string, @ValidQuery(AsOfQuery) query: AsOfQuery) {
    return envelope(await this.reads.readAsOfForOperator(unit_id, query));
  }
}
