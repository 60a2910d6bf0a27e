import { Inject, Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import type { Clock } from '../../config/clock.js';
import type { Ids } from '../../config/ids.js';
import { CLOCK, IDS } from '../../config/injection-tokens.js';
import type { RequestContext, TenantPrincipal } from '../../http/index.js';
import { parseTimestamp, validationFailed } from '../../http/index.js';
import type { EntryPointDocument, LockDocument } from '../../locations/index.js';
import type { EntryPointActivityReported, LockActivityReported } from '../core/activity.events.js';
import type { ActivityReport } from './activity.dto.js';
import { ActivityLog, type LogEntry } from './activity-log.js';

/** A log entry as the API shows it. */
export interface ShownLogEntry {
  readonly log_id: string;
  readonly recorded_at: string;
}

type TenantContext = RequestContext<TenantPrincipal>;
type Reported = Omit<LockActivityReported['data'], 'lock_id' | 'unit_id'>;

const OLDEST = 30 * 24 * 60 * 60_000;
const FURTHEST_AHEAD = 5 * 60_000;

/** Turns an app's report into an event, defaults filled in, and stores it. */
@Injectable()
export class ReportActivity {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    private readonly log: ActivityLog,
  ) {}

  /** @throws ApiError 422 for an instant out of bounds. @throws StoreUnavailableError */
  async ofLock(lock: LockDocument, report: ActivityReport, context: TenantContext): Promise<ShownLogEntry> {
    const { lock_id, unit_id } = lock;
    const data = { ...this.reported(lock, report, context), lock_id, unit_id };
    return this.store({ type: 'LockActivityReported', data }, report, context);
  }

  /** @throws ApiError 422 for an instant out of bounds. @throws StoreUnavailableError */
  async ofEntryPoint(
    entry_point: EntryPointDocument,
    report: ActivityReport,
    context: TenantContext,
  ): Promise<ShownLogEntry> {
    const { entry_point_id } = entry_point;
    const data = { ...this.reported(entry_point, report, context), entry_point_id };
    return this.store({ type: 'EntryPointActivityReported', data }, report, context);
  }

  private reported(
    where: { readonly company_id: string; readonly location_id: string },
    report: ActivityReport,
    context: TenantContext,
  ): Reported {
    return {
      log_id: this.ids.ulid(),
      company_id: where.company_id,
      location_id: where.location_id,
      tenant_id: context.principal.id,
      event: report.event ?? 'unlock',
      result: report.result ?? 'success',
      failure_code: report.failure_code ?? null,
      occurred_at: parseTimestamp(report.occurred_at ?? '') ?? this.clock.now(),
      battery_percent: report.battery_percent ?? null,
      client_log_id: report.client_log_id ?? null,
    };
  }

  /** Why a report about an instant is refused, if it is. */
  private refusalOf(occurred_at: number): Error | undefined {
    const now = this.clock.now();
    if (occurred_at < now - OLDEST) return outOfBounds('must be at most 30 days old');
    if (occurred_at > now + FURTHEST_AHEAD) return outOfBounds('must be at most 5 minutes ahead');
    return undefined;
  }

  private async store(
    event: LockActivityReported | EntryPointActivityReported,
    report: ActivityReport,
    context: TenantContext,
  ): Promise<ShownLogEntry> {
    const refusal = this.refusalOf(event.data.occurred_at);
    if (refusal === undefined) return shown(await this.log.store(event, report.message, context));
    // What was stored in time may be sent again later.
    const first = await this.log.repeat(event, report.message, context);
    if (first === undefined) throw refusal;
    return shown(first);
  }
}

function shown({ log_id, recorded_at }: LogEntry): ShownLogEntry {
  return { log_id, recorded_at: toTimestamp(recorded_at) };
}

function outOfBounds(rule: string): Error {
  return validationFailed({ occurred_at: [`The occurred at field ${rule}.`] });
}
