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
import { COMPANY_SCHEMA } from './facility.schemas.js';

/** Another feature that does things at an instant of a company's clock. */
export interface SandboxClockListener {
  /** Something may be due at once. What it is goes on by itself. */
  advanced(): void;
}

/** Injection token of the `SandboxClockListener`; bound by app.module.ts, may be absent. */
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

  /** Answers when every decision that fell due has been made again: whoever reads now reads the new state. */
  @Post()
  @HttpCode(200)
  @Answers({
    id: 'advanceClock',
    description: 'Only for a sandbox; another company is 409.',
    summary: 'Set the clock of a sandbox forward',
    data: COMPANY_SCHEMA,
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
