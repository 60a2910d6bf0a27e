import { Injectable, Optional } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { errorOf } from '#kernel/errors/api-error.js';
import type { RequestContext } from '#web/request-context.js';
import { TenantAccessViews } from '#domain/access/index.js';
import { CompanyClocks, CompanyDirectory, WriteCompany } from '#domain/companies/index.js';
import { SandboxPhones } from '#domain/tenants/index.js';
import { companyAnswer } from './facility.answers.js';
import type { ClockAdvanceBody } from './facility.dto.js';
import { doneOf, found } from './facility.refusals.js';

/** A feature that acts when the clock of a company reaches an instant. */
export abstract class SandboxClockListener {
  /** Starts the work that the new time makes due. Returns at once. */
  abstract advanced(): void;
}

/** The clock of a sandbox (docs/adr/0010), and its text messages, which are never sent to a phone (decisions §5). */
@Injectable()
export class SandboxAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: CompanyDirectory,
    private readonly clocks: CompanyClocks,
    private readonly decisions: TenantAccessViews,
    private readonly phones: SandboxPhones,
    @Optional() private readonly listener?: SandboxClockListener,
  ) {}

  /**
   * Answers after every decision that became due has been made again, so that the next read shows the new state.
   * @throws ApiError 404, 409, 422
   */
  async advanceClock(company_id: string, { advance_seconds }: ClockAdvanceBody, context: RequestContext) {
    const command = { type: 'AdvanceSandboxClock', advance_seconds } as const;
    const outcome = await this.commands.execute(new WriteCompany(company_id, command, context));
    const { result } = doneOf(outcome);
    this.listener?.advanced();
    await this.decisions.sweep([company_id]);
    return companyAnswer(result, this.clocks);
  }

  /** The test numbers and the last messages. @throws ApiError 404 */
  async readMessages(company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    if (!this.clocks.clockOf(company).isSandbox) throw errorOf('not_found');
    return this.phones.numbersAndMessages(company_id);
  }
}
