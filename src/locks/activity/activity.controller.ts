import { Controller, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Envelope, RequestContext, TenantPrincipal } from '../../http/index.js';
import {
  Answers,
  Authenticated,
  Context,
  DemandedBody,
  envelope,
  notFound,
  RateLimits,
  TENANT_PREFIXES,
} from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { ActivityReports, EntryPointActivityReports, type Reports, reportsIn } from './activity.dto.js';
import type { ShownLogEntry } from './report-activity.js';
import { ReportActivity } from './report-activity.js';
import { LOGGED_SCHEMA } from './activity.schemas.js';

const CREATED = 'Log entry created.';

/** Per tenant (decisions §5). */
const REPORTS = { name: 'tenant-reports', limit: 120, windowSeconds: 60 };

type Reported = ShownLogEntry | { readonly entries: readonly ShownLogEntry[] };

/** What tenants' apps report after a tap (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class ActivityController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly activity: ReportActivity,
    private readonly limits: RateLimits,
  ) {
    limits.define(REPORTS);
  }

  @Post('locks/:id/logs')
  @Answers({
    summary: 'Report what happened at a lock',
    message: CREATED,
    data: LOGGED_SCHEMA,
    errors: ['lock_not_found', 'rate_limited'],
  })
  async reportLock(
    @Param('id') id: string,
    @DemandedBody(ActivityReports) body: ActivityReports,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<Reported>> {
    const { principal } = context;
    const reports = await this.counted(body, principal, response);
    const lock = await this.locations.lock(id);
    // Another company's lock is told from none at all by nothing.
    if (lock?.company_id !== principal.company_id) throw notFound('Lock not found.');
    return answerTo(reports, await this.activity.ofLock(lock, reports, context));
  }

  @Post('entry-points/logs')
  @Answers({
    summary: 'Report what happened at an entry point that the body names',
    message: CREATED,
    data: LOGGED_SCHEMA,
    errors: ['entry_point_not_found', 'rate_limited'],
  })
  async reportNamedEntryPoint(
    @DemandedBody(EntryPointActivityReports) { entry_point_id, ...body }: EntryPointActivityReports,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<Reported>> {
    return this.reportEntryPoint(entry_point_id, body, context, response);
  }

  @Post('entry-points/:id/logs')
  @Answers({
    summary: 'Report what happened at an entry point',
    message: CREATED,
    data: LOGGED_SCHEMA,
    errors: ['entry_point_not_found', 'rate_limited'],
  })
  async reportEntryPoint(
    @Param('id') id: string,
    @DemandedBody(ActivityReports) body: ActivityReports,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<Reported>> {
    const { principal } = context;
    const reports = await this.counted(body, principal, response);
    const entry_point = await this.locations.entryPoint(id);
    if (entry_point?.company_id !== principal.company_id) throw notFound('Entry point not found.');
    return answerTo(reports, await this.activity.ofEntryPoint(entry_point, reports, context));
  }

  private async counted(
    body: ActivityReports,
    { id }: TenantPrincipal,
    response: Response,
  ): Promise<Reports> {
    await this.limits.enforce(REPORTS.name, id, response, body.entries?.length);
    return reportsIn(body);
  }
}

/** As many were reported: one's entry by itself, or all of them in order. */
function answerTo({ areMany }: Reports, logged: readonly ShownLogEntry[]): Envelope<Reported> {
  return envelope(areMany ? { entries: logged } : logged[0]!, CREATED);
}
