import { Controller, Get, Param } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { CompanyOverview } from './company-overview.js';
import { ChangesQuery, TodayQuery } from './today.dto.js';
import { CHANGES_SCHEMA, TODAY_SCHEMA } from './today.schemas.js';

/** The overview that an operator sees first in the morning (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Controller('api/operator/companies/:company_id')
export class CompanyTodayController {
  constructor(private readonly overview: CompanyOverview) {}

  @Costly()
  @Get('today')
  @Answers({
    id: 'getToday',
    description:
      'Counts events of 24 h and looks 7 days ahead. Lists name the first entries; the counts are of all. An operator of some locations reads of these alone, and nothing of pull sources and silent tokens.',
    summary:
      'Read recent changes, denied units now and soon, late pull sources, silent tokens and rejected rows',
    data: TODAY_SCHEMA,
    errors: ['company_not_found'],
  })
  async today(
    @Param('company_id') company_id: string,
    @ValidQuery(TodayQuery) wanted: TodayQuery,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.overview.readToday(company_id, wanted, context));
  }

  @Costly()
  @Get('changes')
  @Answers({
    id: 'listRecentChanges',
    description:
      "The company's events since this time yesterday, or all that staff did. `since` is later if there are too many events in the log. Pages of staff may be short or empty while `next_cursor` is set, and `since` tells how far back they have looked." +
      ' `data.occurred_at` orders reports of apps. `GET /api/v2/events` has all but what concerns companies as a whole: tokens, webhooks, pull sources, operators. Of these the log of staff alone tells, to operators of whole companies, and of operators with the companies and sites alone that the reader sees. Of operators of all companies only they are told.',
    summary: 'List what happened in the last 24 hours, or what staff did, newest first',
    data: CHANGES_SCHEMA,
    errors: ['company_not_found'],
  })
  async changes(
    @Param('company_id') company_id: string,
    @ValidQuery(ChangesQuery) query: ChangesQuery,
    @Context() { principal }: OperatorContext,
  ) {
    return envelope(await this.overview.listChanges(company_id, query, principal));
  }
}
