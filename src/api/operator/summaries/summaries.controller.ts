import { Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { OwnSummaries } from './own-summaries.js';
import { SUMMARIES_SCHEMA } from './summaries.schemas.js';

/** The signed-in operator's mails of the morning (decisions §11). */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Controller('api/operator/session/summaries')
export class SummariesController {
  constructor(private readonly summaries: OwnSummaries) {}

  @Get()
  @Answers({
    id: 'listSummaries',
    description: 'Those of companies that the operator sees.',
    summary: 'List the companies of which the operator gets a mail each morning',
    data: SUMMARIES_SCHEMA,
  })
  async list(@Context() { principal }: OperatorContext) {
    return envelope(await this.summaries.listSummaries(principal));
  }

  @Put(':company_id')
  @Answers({
    id: 'switchSummaryOn',
    description:
      "The mail has the figures of Today for the sites that the operator sees, and names nobody. It comes at 7:00 of the company's time zone, that of most of these sites, from the next morning on. A mail that cannot be sent is tried until noon.",
    summary: 'Get a mail about the company each morning',
    data: SUMMARIES_SCHEMA,
    errors: ['company_not_found', 'mail_not_configured', 'sandbox_without_mail'],
  })
  async switchOn(@Param('company_id') company_id: string, @Context() context: OperatorContext) {
    return envelope(await this.summaries.switchOn(company_id, context));
  }

  @Delete(':company_id')
  @Answers({
    id: 'switchSummaryOff',
    description: 'Each mail has a link that does the same without a sign-in.',
    summary: 'Get no more mails about the company',
    data: SUMMARIES_SCHEMA,
    errors: ['company_not_found'],
  })
  async switchOff(@Param('company_id') company_id: string, @Context() context: OperatorContext) {
    return envelope(await this.summaries.switchOff(company_id, context));
  }
}
