import { Controller, Get, Param } from '@nestjs/common';
import { errorOf } from '../../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { isPossibleId } from '../../http/possible-id.js';
import { Context, type OperatorContext, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { UnitDirectory } from '../../units/index.js';
import { EXPLANATION_SCHEMA } from '../history.schemas.js';
import { UnitExplanation } from './unit-explanation.js';

const EXPLAINED = {
  summary: 'Read the reason for the present access, and who set the facts',
  data: EXPLANATION_SCHEMA,
  errors: ['unit_not_found'],
} as const;

/** Explains a unit's access to integrators (decisions §3). */
@Authenticated('api_token')
@Controller('api/v2/units/:crm_unit_id/explain')
export class ExplainController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly explanation: UnitExplanation,
  ) {}

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
    const unit = await this.units.byPathKey(principal.company_id, key);
    if (unit === undefined) throw errorOf('unit_not_found');
    return envelope(await this.explanation.of(unit, false, deadline));
  }
}

/** Explains a unit's access to operators. */
@ForOperators('auditor')
@Controller('api/operator/units/:unit_id/explain')
export class OperatorExplainController {
  constructor(
    private readonly units: UnitDirectory,
    private readonly explanation: UnitExplanation,
  ) {}

  @Costly()
  @Get()
  @Answers({
    id: 'explainUnitById',
    description: 'The checks in order. Each value that a check read shows the event that set it.',
    ...EXPLAINED,
  })
  async explain(
    @Param('unit_id') unit_id: string,
    @Context() { deadline }: Pick<OperatorContext, 'deadline'>,
  ) {
    const unit = isPossibleId(unit_id) ? await this.units.byUnitId(unit_id) : undefined;
    if (unit === undefined) throw errorOf('unit_not_found');
    return envelope(await this.explanation.of(unit, true, deadline));
  }
}
