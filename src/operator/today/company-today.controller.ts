import { Controller, Get, Param } from '@nestjs/common';
import { IsBoolean, IsIn, ValidateIf } from 'class-validator';
import { REASON_SCHEMA } from '../../access/index.js';
import { CompanyClocks, CompanyDirectory } from '../../companies/index.js';
import { toTimestamp } from '../../config/clock.js';
import { CHANGES_SCHEMA, CompanyChanges, FED_TYPES } from '../../history/index.js';
import {
  Answers,
  Context,
  Costly,
  envelope,
  ForOperators,
  isGiven,
  type OperatorContext,
  PageQuery,
  schema,
  ValidQuery,
} from '../../http/index.js';
import { LAST_RUN_TOTAL_SCHEMA } from '../../pull/index.js';
import { found } from '../facility.refusals.js';
import { CompanyToday, RECENT } from './company-today.js';

const { flag, id, instant, list, object, text, whole } = schema;

const USUAL_PAGE = 100;

export class ChangesQuery extends PageQuery {
  @ValidateIf(isGiven) @IsIn(FED_TYPES) type?: string;
  /** Reports alone of what failed at a lock, a gate or a door. */
  @ValidateIf(isGiven) @IsBoolean() failed?: boolean;
}

const LOCKED_OUT_SCHEMA = schema.named(
  'LockedOutUnit',
  object({
    unit_id: id,
    unit_name: text,
    location_id: id,
    location_name: text,
    tenant_id: id,
    tenant_name: schema.nullable(text),
    phone: schema.nullable(text),
    reason: REASON_SCHEMA,
    balance_due: schema.amount,
    days_late: schema.nullable(whole),
    last_refused_at: schema.nullable(instant),
  }),
);

const TODAY_SCHEMA = schema.named(
  'Today',
  object({
    at: instant,
    changes: object({
      since: instant,
      by_type: list(object({ type: text, events: whole })),
      failed_reports: whole,
    }),
    losing_access: object({
      days: whole,
      locations: list(object({ location_id: id, name: text, units: whole })),
      dates: list(object({ date: schema.date, units: whole })),
    }),
    denied: list(object({ reason: REASON_SCHEMA, units: whole })),
    locked_out: object({
      tenants: whole,
      units: whole,
      owed: schema.amount,
      first: list(LOCKED_OUT_SCHEMA),
    }),
    troubled_pull_sources: list(
      object({
        pull_source_id: id,
        name: text,
        late: flag,
        last_run_failed: flag,
        last_run_errors: whole,
        last_run_total: LAST_RUN_TOTAL_SCHEMA,
        reasons: list(text),
      }),
    ),
    silent_tokens: list(object({ token_id: id, name: text, last_used_at: instant })),
  }),
);

/** The first page of a company's operator (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/companies/:company_id')
export class CompanyTodayController {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly digest: CompanyToday,
    private readonly recent: CompanyChanges,
    private readonly clocks: CompanyClocks,
  ) {}

  @Costly()
  @Get('today')
  @Answers({
    id: 'getToday',
    summary: 'Read what changed since yesterday, who is denied and will be, and what is late or silent',
    data: TODAY_SCHEMA,
    errors: ['company_not_found'],
  })
  async today(
    @Param('company_id') company_id: string,
    @Context() { deadline }: Pick<OperatorContext, 'deadline'>,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    return envelope(await this.digest.of(company_id, this.clocks.told(company), deadline));
  }

  @Costly()
  @Get('changes')
  @Answers({
    id: 'listRecentChanges',
    summary: 'List what happened in the last 24 hours, newest first',
    data: CHANGES_SCHEMA,
    errors: ['company_not_found'],
  })
  async changes(
    @Param('company_id') company_id: string,
    @ValidQuery(ChangesQuery) { limit = USUAL_PAGE, ...query }: ChangesQuery,
  ) {
    const company = found(await this.companies.company(company_id), 'company_not_found');
    const clock = this.clocks.told(company);
    const range = { ...query, since: clock.now() - RECENT, ahead: clock.ahead, limit };
    const { since, ...page } = await this.recent.page(company_id, range);
    return envelope({ ...page, since: toTimestamp(since) });
  }
}
