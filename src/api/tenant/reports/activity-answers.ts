import { Injectable } from '@nestjs/common';
import { ApiError, errorBody, errorOf } from '#kernel/errors/api-error.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { type Envelope, envelope } from '#web/envelope.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { Reply } from '#web/reply.js';
import type { RequestContext } from '#web/request-context.js';
import { type EntryPoint, LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import { ReportActivity, type ReportOutcome, type Reports, type ShownReport } from '#domain/locks/index.js';
import type { ReportAnswer } from './activity.schemas.js';

export const CREATED = 'Log entry created.';

/** Rate limits per tenant (decisions §5). */
export const REPORTS = { name: 'tenant-reports', limit: 120, windowSeconds: 60 };
/** Estimated bytes that one event adds to the JSON of its report. */
const EVENT_BYTES = 600;
const REPORTED_BYTES = { name: 'tenant-report-bytes', limit: 5_000_000, windowSeconds: 24 * 60 * 60 };

type Reported = Envelope<ReportAnswer> | Reply<Envelope<ReportAnswer>>;

export interface Reporting {
  readonly reports: Reports;
  readonly context: RequestContext<TenantPrincipal>;
}

/** Limits, stores and answers reports of activity, on every version of the API. */
@Injectable()
export class ActivityAnswers {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly activity: ReportActivity,
    private readonly limits: RateLimits,
  ) {
    limits.define(REPORTS);
    limits.define(REPORTED_BYTES);
  }

  /** A lock of another company looks like one that does not exist. @throws ApiError 403, 404, 409, 422, 429 */
  async reportOfLock(lock_id: string, reporting: Reporting): Promise<Reported> {
    await this.#count(reporting);
    const lock = await this.locations.lock(lock_id);
    if (lock?.company_id !== reporting.context.principal.company_id) throw errorOf('lock_not_found');
    return this.#store(lock, reporting);
  }

  /** As {@link reportOfLock}. */
  async reportOfEntryPoint(entry_point_id: string, reporting: Reporting): Promise<Reported> {
    await this.#count(reporting);
    const entry_point = await this.locations.entryPoint(entry_point_id);
    if (entry_point?.company_id !== reporting.context.principal.company_id)
      throw errorOf('entry_point_not_found');
    return this.#store(entry_point, reporting);
  }

  async #count({ reports: { reports, bytes }, context }: Reporting): Promise<void> {
    const { id } = context.principal;
    // The pipeline took the first point before it read the body.
    const others = reports.length - 1;
    if (others > 0) await this.limits.enforce(REPORTS.name, id, context.headers, others);
    const stored = bytes + reports.length * EVENT_BYTES;
    await this.limits.enforce(REPORTED_BYTES.name, id, undefined, stored);
  }

  async #store(where: LockDocument | EntryPoint, { reports, context }: Reporting): Promise<Reported> {
    const outcomes = await this.activity.store(where, reports, context);
    return answerTo(reports, outcomes);
  }
}

/** A single report is answered by its entry, a batch by all outcomes. A batch that is refused whole has the first error's status. */
function answerTo({ areMany }: Reports, outcomes: readonly ReportOutcome[]): Reported {
  const [first] = outcomes;
  if (!areMany && first instanceof ApiError) throw first;
  if (!areMany) return envelope(first as ShownReport, CREATED);
  const entries = outcomes.map((one) => (one instanceof ApiError ? { error: errorBody(one) } : one));
  if (!(first instanceof ApiError) || outcomes.some((one) => !(one instanceof ApiError)))
    return envelope({ entries }, CREATED);
  return new Reply({ ...errorBody(first), data: { entries } }, { status: first.status });
}
