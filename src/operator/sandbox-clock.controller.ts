import { Controller, HttpCode, Inject, Optional, Param, Post } from '@nestjs/common';
import { TenantAccessViews } from '../access/index.js';
import { CompanyClocks, CompanyCommands } from '../companies/index.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type RequestContext } from '../http/request-context.js';
import { ValidBody } from '../http/validation/valid.js';
import { companyAnswer } from './facility.answers.js';
import { ClockAdvanceBody } from './facility.dto.js';
import { doneOf } from './facility.refusals.js';
import { OPERATOR_COMPANY_SCHEMA } from './facility.schemas.js';

/** A feature that acts when the clock of a company reaches an instant. */
export interface SandboxClockListener {
  /** Starts the work that the new time makes due. Returns at once. */
  advanced(): void;
}

/** Injection token of the `SandboxClockListener`. It may be absent. */
export const SANDBOX_CLOCK_LISTENER = Symbol('SandboxClockListener');

/** The clock of a sandbox (docs/adr/0010). */
@ForOperators('manager')
@Controller('api/operator/companies/:company_id/clock')
export class SandboxClockController {
  constructor(
    private readonly companies: CompanyCommands,
    private readonly clocks: CompanyClocks,
    private readonly decisions: TenantAccessViews,
    @Optional() @Inject(SANDBOX_CLOCK_LISTENER) private readonly listener?: SandboxClockListener,
  ) {}

  /** Answers after every decision that became due has been made again, so that the next read shows the new state. */
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
    @ValidBody(ClockAdvanceBody) { advance_seconds }: ClockAdvanceBody,
    @Context() context: RequestContext,
  ) {
    const outcome = await this.companies.advanceSandboxClock(company_id, advance_seconds, context);
    const { result } = doneOf(outcome);
    this.listener?.advanced();
    await this.decisions.sweep([company_id]);
    return envelope(companyAnswer(result, this.clocks));
  }
}
