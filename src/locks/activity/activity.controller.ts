import { Controller, Param, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Envelope, RequestContext, TenantPrincipal } from '../../http/index.js';
import {
  Authenticated,
  Context,
  RateLimits,
  TENANT_PREFIXES,
  ValidBody,
  envelope,
  notFound,
} from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { ActivityReport, EntryPointActivityReport } from './activity.dto.js';
import type { ShownLogEntry } from './report-activity.js';
import { ReportActivity } from './report-activity.js';

const CREATED = 'Log entry created.';

/** Per tenant (decisions §5). */
const REPORTS = { name: 'tenant-reports', limit: 120, windowSeconds: 60 };

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
  async reportLock(
    @Param('id') id: string,
    @ValidBody(ActivityReport) report: ActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<ShownLogEntry>> {
    const { principal } = context;
    await this.limits.enforce(REPORTS.name, principal.id, response);
    const lock = await this.locations.lock(id);
    // Another company's lock is told from none at all by nothing.
    if (lock?.company_id !== principal.company_id) throw notFound('Lock not found.');
    return envelope(await this.activity.ofLock(lock, report, context), CREATED);
  }

  @Post('entry-points/logs')
  async reportNamedEntryPoint(
    @ValidBody(EntryPointActivityReport) { entry_point_id, ...report }: EntryPointActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<ShownLogEntry>> {
    return this.reportEntryPoint(entry_point_id, report, context, response);
  }

  @Post('entry-points/:id/logs')
  async reportEntryPoint(
    @Param('id') id: string,
    @ValidBody(ActivityReport) report: ActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<ShownLogEntry>> {
    const { principal } = context;
    await this.limits.enforce(REPORTS.name, principal.id, response);
    const entry_point = await this.locations.entryPoint(id);
    if (entry_point?.company_id !== principal.company_id) throw notFound('Entry point not found.');
    return envelope(await this.activity.ofEntryPoint(entry_point, report, context), CREATED);
  }
}
