import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../../companies/index.js';
import { toTimestamp } from '../../config/clock.js';
import type { Ids } from '../../config/ids.js';
import { EVENT_STORE, IDS } from '../../config/injection-tokens.js';
import { type ApiError, errorOf, invalidField } from '../../http/api-error.js';
import type { TenantPrincipal } from '../../http/authentication.js';
import type { RequestContext } from '../../http/request-context.js';
import { parseTimestamp } from '../../http/validation/rules.js';
import { hashOf } from '../../config/ids.js';
import { type EntryPoint, type LockDocument, unitOfLockAt } from '../../locations/index.js';
import { canonicalJson } from '../../log/hash-chain.js';
import type { EventStore } from '../../log/event-store.js';
import type { WriteClock } from '../../writing/command-run.js';
import { CommandRunner } from '../../writing/command-runner.js';
import { lastEventOf } from '../../writing/stored-stream.js';
import { type ActivityReported, LONGEST_REPORT_DELAY, streamOf } from '../core/activity.events.js';
import type { ActivityReport, Reports } from './activity.dto.js';
import { ActivityProjectors } from './activity.projector.js';
import { ActivityRecords, type ReportReservation } from './activity-records.js';
import { ReportRights } from './report-rights.js';

/** A stored report as the API shows it. */
export interface ShownReport {
  readonly log_id: string;
  readonly recorded_at: string;
}

export type ReportOutcome = ShownReport | ApiError;

interface Reporting {
  readonly where: LockDocument | EntryPoint;
  readonly context: RequestContext<TenantPrincipal>;
  readonly clock: WriteClock;
  /** The path of the report in the request's body: empty, or `entries.N.`. */
  readonly path: string;
}

/** An event to store. `head`: it may be in the log already, after this revision; undefined: it is certainly not. */
type Reserved = Pick<ReportReservation, 'event' | 'body_hash'> & { readonly head?: number };

const FURTHEST_AHEAD = 5 * 60_000;
const PAGE_SIZE = 50;

/**
 * Stores reports about a lock or an entry point, each exactly once (decisions §5). Refuses a report with 403 if the
 * tenant had no access then, and with 422 if it is invalid. 409: its `client_log_id` belongs to another report.
 * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
 */
@Injectable()
export class ReportActivity {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projectors: ActivityProjectors,
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly records: ActivityRecords,
    private readonly rights: ReportRights,
  ) {}

  /** Answers in the order of the reports. */
  async store(
    where: LockDocument | EntryPoint,
    { reports, areMany }: Reports,
    context: RequestContext<TenantPrincipal>,
  ): Promise<ReportOutcome[]> {
    const clock = await this.clocks.of(context.principal.company_id);
    const outcomes: ReportOutcome[] = [];
    for (const [index, read] of reports.entries()) {
      const path = areMany ? `entries.${index}.` : '';
      const reporting = { where, context, clock, path };
      outcomes.push('fault' in read ? read.fault : await this.#store(read.report, reporting));
    }
    return outcomes;
  }

  async #store(report: ActivityReport, reporting: Reporting): Promise<ReportOutcome> {
    const event = eventOf(report, this.ids.ulid(), reporting);
    const refusal = instantFault(event, reporting.path) ?? (await this.#rightsFault(event, reporting));
    const body_hash = hashOf(canonicalJson({ ...report }));
    // A repeat of an accepted report is accepted, even if a new report would be refused by now.
    const first = await (refusal ? this.#reservationOf(event) : this.#reserve(event, body_hash));
    if (first === undefined) return refusal!;
    if (first.body_hash !== body_hash) return errorOf('client_log_id_reused');
    const { log_id, tenant_id, recorded_at } = first.event.data;
    await this.#append(first, reporting);
    if (report.message !== undefined) await this.records.keepText(log_id, tenant_id, report.message);
    return { log_id, recorded_at: toTimestamp(recorded_at) };
  }

  async #rightsFault(event: ActivityReported, { where, context }: Reporting): Promise<ApiError | undefined> {
    const { occurred_at } = event.data;
    const mayReport = await ('lock_id' in where
      ? this.rights.mayReportLock(context.principal, where, occurred_at)
      : this.rights.mayReportEntryPoint(context.principal, where, occurred_at));
    return mayReport ? undefined : errorOf('no_access_then');
  }

  async #reservationOf(event: ActivityReported): Promise<Reserved | undefined> {
    return event.data.client_log_hash === null ? undefined : this.records.reservationOf(event);
  }

  /** Without a `client_log_id` there can be no repeat, so nothing is reserved. */
  async #reserve(event: ActivityReported, body_hash: string): Promise<Reserved> {
    if (event.data.client_log_hash === null) return { event, body_hash };
    const [snapshot] = await this.projectors.of(event).states.load([streamOf(event)]);
    return this.records.reserve(event, body_hash, lastEventOf(snapshot).revision);
  }

  async #append({ event, head }: Reserved, { context, clock }: Reporting): Promise<void> {
    const projector = this.projectors.of(event);
    const stream = streamOf(event);
    let searchedUpTo = head;
    await this.runner.run(
      {
        aggregate: projector.fold,
        states: projector.states,
        projector,
        streams: [stream],
        prepare: async ([open]) => {
          const last = (open?.state?.reported ?? 0) - 1;
          const isLogged = searchedUpTo !== undefined && (await this.#isLogged(event, searchedUpTo, last));
          if (searchedUpTo !== undefined) searchedUpTo = Math.max(searchedUpTo, last);
          return { clock, commands: [{ command: { event, isLogged } }] };
        },
      },
      context,
    );
  }

  /** Whether the stream contains the report after revision `after`, up to revision `last`. */
  async #isLogged(event: ActivityReported, after: number, last: number): Promise<boolean> {
    for (let from = after + 1; from <= last; from += PAGE_SIZE) {
      const limit = Math.min(PAGE_SIZE, last + 1 - from);
      const page = await this.events.readStream(streamOf(event), { from, limit });
      if (page.some(({ data }) => data['log_id'] === event.data.log_id)) return true;
    }
    return false;
  }
}

function eventOf(
  report: ActivityReport,
  log_id: string,
  { where, context: { principal }, clock }: Reporting,
): ActivityReported {
  const { event, result, client_log_id } = report;
  const recorded_at = clock.now();
  const reported = {
    log_id,
    company_id: where.company_id,
    location_id: where.location_id,
    tenant_id: principal.id,
    event,
    result,
    failure_code: report.failure_code ?? null,
    occurred_at: parseTimestamp(report.occurred_at ?? '') ?? recorded_at,
    recorded_at,
    battery_percent: report.battery_percent ?? null,
    client_log_hash: client_log_id === undefined ? null : hashOf(`${principal.id} ${client_log_id}`),
  };
  if ('lock_id' in where) {
    const { lock_id } = where;
    const unit_id = unitOfLockAt(where, reported.occurred_at);
    return { type: 'LockActivityReported', data: { ...reported, lock_id, unit_id } };
  }
  const { entry_point_id } = where;
  return { type: 'EntryPointActivityReported', data: { ...reported, entry_point_id } };
}

/** The fault of a report that is too old, or too far in the future. */
function instantFault(
  { data: { occurred_at, recorded_at } }: ActivityReported,
  path: string,
): ApiError | undefined {
  const fault =
    occurred_at < recorded_at - LONGEST_REPORT_DELAY
      ? 'must be at most 30 days old'
      : occurred_at > recorded_at + FURTHEST_AHEAD
        ? 'must be at most 5 minutes ahead'
        : undefined;
  return fault && invalidField(`${path}occurred_at`, 'out_of_range', `The occurred at field ${fault}.`);
}
