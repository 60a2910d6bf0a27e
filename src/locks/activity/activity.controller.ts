import { Controller, Inject, Param, Post } from '@nestjs/common';
import type { Envelope, RequestContext, TenantPrincipal } from '../../http/index.js';
import {
  Authenticated,
  Context,
  TENANT_PREFIXES,
  ValidBody,
  envelope,
  forbidden,
  notFound,
} from '../../http/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { ActivityReport, EntryPointActivityReport } from './activity.dto.js';
import type { LockEntitlement } from './lock-entitlement.js';
import { LOCK_ENTITLEMENT } from './lock-entitlement.js';
import type { ShownLogEntry } from './report-activity.js';
import { ReportActivity } from './report-activity.js';

const CREATED = 'Log entry created.';

/** What tenants' apps report after a tap (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class ActivityController {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly activity: ReportActivity,
    @Inject(LOCK_ENTITLEMENT) private readonly entitlement: LockEntitlement,
  ) {}

  @Post('locks/:id/logs')
  async reportLock(
    @Param('id') id: string,
    @ValidBody(ActivityReport) report: ActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<Envelope<ShownLogEntry>> {
    const { principal } = context;
    const lock = await this.locations.lock(id);
    // Another company's lock is told from none at all by nothing.
    if (lock?.company_id !== principal.company_id) throw notFound('Lock not found.');
    if (!(await this.entitlement.mayReportLock(principal, lock))) throw forbidden();
    return envelope(await this.activity.ofLock(lock, report, context), CREATED);
  }

  @Post('entry-points/logs')
  async reportNamedEntryPoint(
    @ValidBody(EntryPointActivityReport) { entry_point_id, ...report }: EntryPointActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<Envelope<ShownLogEntry>> {
    return this.reportEntryPoint(entry_point_id, report, context);
  }

  @Post('entry-points/:id/logs')
  async reportEntryPoint(
    @Param('id') id: string,
    @ValidBody(ActivityReport) report: ActivityReport,
    @Context() context: RequestContext<TenantPrincipal>,
  ): Promise<Envelope<ShownLogEntry>> {
    const { principal } = context;
    const entry_point = await this.locations.entryPoint(id);
    if (entry_point?.company_id !== principal.company_id) throw notFound('Entry point not found.');
    if (!(await this.entitlement.mayReportEntryPoint(principal, entry_point))) throw forbidden();
    return envelope(await this.activity.ofEntryPoint(entry_point, report, context), CREATED);
  }
}
