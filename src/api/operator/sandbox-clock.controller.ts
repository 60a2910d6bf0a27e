import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { ValidBody } from '#web/validation/parameters.js';
import { ClockAdvanceBody } from './facility.dto.js';
import { OPERATOR_COMPANY_SCHEMA } from './facility.schemas.js';
import { SandboxAdministration } from './sandbox-administration.js';

/** The clock of a sandbox (docs/adr/0010). */
@ForOperators('manager')
@ForSiteOperators('refused')
@Controller('api/operator/companies/:company_id/clock')
export class SandboxClockController {
  constructor(private readonly sandboxes: SandboxAdministration) {}

  @Post()
  @HttpCode(200)
  @Answers({
    id: 'advanceClock',
    description: 'Only for a sandbox; another company is 409.',
    summary: 'Set the clock of a sandbox forward',
    data: OPERATOR_COMPANY_SCHEMA,
    errors: ['company_not_found', 'not_a_sandbox', 'validation_failed'],
  })
  async advance(
    @Param('company_id') company_id: string,
    @ValidBody(ClockAdvanceBody) body: ClockAdvanceBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.sandboxes.advanceClock(company_id, body, context));
  }
}
