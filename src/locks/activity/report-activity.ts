import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { CompanyClocks } from '../../companies/index.js';
import type { Ids } from '../../config/ids.js';
import { IDS } from '../../config/injection-tokens.js';
import type { RequestContext, TenantPrincipal } from '../../http/index.js';
import { ApiError, forbidden, hashOf, labelOf, parseTimestamp, validationFailed } from '../../http/index.js';
import { type EntryPointDocument, type LockDocument, unitOfLockAt } from '../../locations/index.js';
import { type ActivityReported, LATEST_REPORT, type LockActivityReported } from '../core/activity.events.js';
import type { ActivityReport, Reports } from './activity.dto.js';
import { ActivityLog, type LogEntry } from './activity-log.js';
import { ReportRights } from './report-rights.js';

/** A log entry as the API shows it. */
export interface ShownLogEntry {
  readonly log_id: string;
  readonly recorded_at: string;
}

type TenantContext = RequestContext<TenantPrincipal>;
type Reported = Omit<LockActivityReported['data'], 'lock_id' | 'unit_id'>;

const FURTHEST_AHEAD = 5 * 60_000;

/** Turns an app's report into an event, defaults filled in, and stores it. */
@Injectable()
export class ReportActivity {
  constructor(
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
    private readonly log: ActivityLog,
    private readonly rights: ReportRights,
  ) {}

  /**
   * Stores the reports, all of them or, where one is refused, none; answers their entries in order.
   * @throws ApiError 403 where the tenant had nothing to do with the lock at an instant, 422 for one out of bounds.
   * @throws StoreUnavailableError
   */
  ofLock(lock: LockDocument, reports: Reports, context: TenantContext): Promise<ShownLogEntry[]> {
    const { lock_id } = lock;
    const may = (at: number) => this.rights.mayReportLock(context.principal, lock, at);
    return this.storeAll(reports, context, may, (report, now) => {
      const reported = this.reported(lock, report, context, now);
      const unit_id = unitOfLockAt(lock, reported.occurred_at);
      return { type: 'LockActivityReported', data: { ...reported, lock_id, unit_id } };
    });
  }

  /** As {@link ofLock}. */
  ofEntryPoint(
    entry_point: EntryPointDocument,
    reports: Reports,
    context: TenantContext,
  ): Promise<ShownLogEntry[]> {
    const { entry_point_id } = entry_point;
    const may = (at: number) => this.rights.mayReportEntryPoint(context.principal, entry_point, at);
    return this.storeAll(reports, context, may, (report, now) => {
      const data = { ...this.reported(entry_point, report, context, now), entry_point_id };
      return { type: 'EntryPointActivityReported', data };
    });
  }

  private reported(
    where: { readonly company_id: string; readonly location_id: string },
    report: ActivityReport,
    { principal }: TenantContext,
    recorded_at: number,
  ): Reported {
    const { client_log_id } = report;
    return {
      log_id: this.ids.ulid(),
      company_id: where.company_id,
      location_id: where.location_id,
      tenant_id: principal.id,
      event: report.event ?? 'unlock',
      result: report.result ?? 'success',
      failure_code: report.failure_code ?? null,
      occurred_at: parseTimestamp(report.occurred_at ?? '') ?? recorded_at,
      recorded_at,
      battery_percent: report.battery_percent ?? null,
      client_log_hash: client_log_id === undefined ? null : hashOf(`${principal.id} ${client_log_id}`),
    };
  }

  private async storeAll(
    { reports, areMany }: Reports,
    context: TenantContext,
    may: (at: number) => Promise<boolean>,
    eventOf: (report: ActivityReport, now: number) => ActivityReported,
  ): Promise<ShownLogEntry[]> {
    const clock = await this.clocks.of(context.principal.company_id);
    const steps: (() => Promise<LogEntry>)[] = [];
    for (const [place, report] of reports.entries()) {
      const event = eventOf(report, clock.now());
      const entry = areMany ? `entries.${place}` : undefined;
      const refusal =
        outOfBounds(event.data, entry) ??
        ((await may(event.data.occurred_at)) ? undefined : notTheTenants(entry));
      // What was taken once may be sent again when it would be taken no more.
      const first = refusal && (await this.log.repeat(event, report.message, context));
      if (refusal !== undefined && first === undefined) throw refusal;
      steps.push(() => (first ? Promise.resolve(first) : this.log.store(event, report.message, context)));
    }
    const logged: ShownLogEntry[] = [];
    for (const step of steps) logged.push(shown(await step()));
    return logged;
  }
}

function shown({ log_id, recorded_at }: LogEntry): ShownLogEntry {
  return { log_id, recorded_at: toTimestamp(recorded_at) };
}

/** 403, which names the entry where there are many, so that the app can send the others without it. */
function notTheTenants(entry: string | undefined): ApiError {
  const refusal = forbidden();
  if (entry === undefined) return refusal;
  const errors = { [entry]: [`The ${labelOf(entry)} field must be of an instant at which you had access.`] };
  return new ApiError(refusal.status, refusal.message, { code: refusal.code, errors });
}

/** Why a report of an instant is refused, whoever sends it. */
function outOfBounds(
  { occurred_at, recorded_at }: Reported,
  entry: string | undefined,
): ApiError | undefined {
  const fault =
    occurred_at < recorded_at - LATEST_REPORT
      ? 'must be at most 30 days old'
      : occurred_at > recorded_at + FURTHEST_AHEAD
        ? 'must be at most 5 minutes ahead'
        : undefined;
  const path = entry === undefined ? '' : `${entry}.`;
  return fault && validationFailed({ [`${path}occurred_at`]: [`The occurred at field ${fault}.`] });
}
