import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import { Operators } from '#domain/operators/index.js';
import { type SummarySubscription, SummarySubscriptions, SummarySwitch } from '#domain/summaries/index.js';
import type { Environment } from '#kernel/environment/environment.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { type OperatorPrincipal, seesPartOf } from '#kernel/principals.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';

/** The morning mails of the operator who asks. */
@Injectable()
export class OwnSummaries {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'smtp'>,
    private readonly subscriptions: SummarySubscriptions,
    private readonly summaries: SummarySwitch,
    private readonly companies: CompanyDirectory,
    private readonly clocks: CompanyClocks,
    private readonly operators: Operators,
  ) {}

  get isAvailable(): boolean {
    return this.environment.smtp !== undefined;
  }

  /** Of the companies that the operator sees now. */
  async listSummaries(principal: OperatorPrincipal) {
    const all = await this.subscriptions.listOfOperator(principal.id);
    const seen = all.filter(({ company_id }) => seesPartOf(principal, company_id));
    const companies = await Promise.all(seen.map(({ company_id }) => this.companies.company(company_id)));
    const summaries = seen.map((one, index) => ({
      ...summaryAnswer(one),
      company_name: companies[index]?.name ?? null,
    }));
    return { available: this.isAvailable, summaries };
  }

  /** @throws ApiError 404, 409 */
  async switchOn(company_id: string, context: OperatorContext) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    if (!this.isAvailable) throw errorOf('mail_not_configured');
    if (this.clocks.clockOf(company).isSandbox) throw errorOf('sandbox_without_mail');
    const { _id: operator_id } = await this.operators.assertRights(context.principal);
    await this.summaries.switchOn({ operator_id, company_id }, context);
    return this.listSummaries(context.principal);
  }

  async switchOff(company_id: string, context: OperatorContext) {
    const { _id: operator_id } = await this.operators.assertRights(context.principal);
    await this.summaries.switchOff({ operator_id, company_id }, context);
    return this.listSummaries(context.principal);
  }
}

function summaryAnswer({ company_id, since, last }: SummarySubscription) {
  return { company_id, since: toTimestamp(since), last };
}
