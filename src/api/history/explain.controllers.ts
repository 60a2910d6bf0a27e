import { Controller, Get, Param } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { EXPLANATION_SCHEMA } from './history.schemas.js';
import { ExplanationReads } from './explanation-reads.js';

const EXPLAINED = {
  summary: 'Read the reason for the present access, and who set the facts',
  data: EXPLANATION_SCHEMA,
  errors: ['unit_not_found'],
} as const;

/** Explains a unit's access to integrators (decisions §3). */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id/explain')
export class ExplainController {
  constructor(private readonly reads: ExplanationReads) {}

  @Costly()
  @Get()
  @Answers({
    id: 'explainUnit',
    description: 'The decision with every check. Each value shows who set it, and when.',
    ...EXPLAINED,
  })
  async explain(
    @Param('crm_unit_id') key: string,
    @Context() { principal, deadline }: RequestContext<ApiTokenPrincipal>,
  ) {
    return envelope(await this.reads.explainForIntegrator(principal.company_id, key, deadline));
  }
}

/** Explains a unit's access to operators. */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/units/:unit_id/explain')
export class OperatorExplainController {
  constructor(private readonly reads: ExplanationReads) {}

  @Costly()
  @Get()
  @Answers({
    id: 'explainUnitById',
    description: 'The checks in order. Each value that a check read shows the event that set it.',
    ...EXPLAINED,
  })
  async explain(@Param('unit_id') unit_id: string, @Context() { deadline }: OperatorContext) {
    return envelope(await this.reads.explainForOperator(unit_id, deadline));
  }
}
