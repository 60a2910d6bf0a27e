import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { toTimestamp, parseTimestamp } from '#kernel/timestamp.js';
import type { Ids } from '#kernel/ids.js';
import { hashOf } from '#kernel/credential-hash.js';
import { IDS } from '#kernel/injection-tokens.js';
import { ApiError, errorOf, invalidField } from '#kernel/errors/api-error.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { type EntryPoint, type LockDocument, unitOfLockAt } from '#domain/locations/index.js';
import { canonicalJson } from '#eventsourcing/log/canonical-json.js';
import type { WriteClock } from '#eventsourcing/writing/command-run.js';
import { lastEventOf } from '#eventsourcing/writing/stored-stream.js';
import { type ActivityReported, LONGEST_REPORT_DELAY_MS, streamOf } from '../core/activity.events.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import type { ActivityReport, ReadReport, Reports } from './activity-report.js';
import { ActivityProjectors } from './activity.projector.js';
import { ActivityRecords, type ReportReservation } from './activity-records.js';
import { ReportRights, type RequestReportRights } from './report-rights.js';
import { WriteActivity } from './write-activity.js';

/** A stored report as the API shows it. */
export interface ShownReport {
  readonly log_id: string;
  readonly recorded_at: string;
}

/** A write of the tenant who reports. */
type TenantContext = WriteContext & { readonly principal: TenantPrincipal };

export type ReportOutcome = ShownReport | ApiError;

interface Reporting {
  readonly where: LockDocument | EntryPoint;
  readonly context: TenantContext;
  readonly clock: WriteClock;
  readonly rights: RequestReportRights;
  /** The path of the report in the request's body: empty, or `entries.N.`. */
  readonly path: string;
}

/** An event to store. `head`: it may be in the log already, after this revision; undefined: it is certainly not. */
type Reserved = Pick<ReportReservation, 'event' | 'body_hash'> & { readonly head?: number };

const FURTHEST_AHEAD_MS = 5 * 60_000;

/**
 * Stores reports about a lock or an entry point, each exactly once (decisions §5). Refuses a report with 403 if the
 * tenant had no access then, and with 422 if it is invalid. 409: its `client_log_id` belongs to another report.
 * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
 */
@Injectable()
export class ReportActivity {
  constructor(
    private readonly commands: CommandBus,
    private readonly projectors: ActivityProjectors,
    private readonly clocks: CompanyClocks,
    @Inject(IDS) private readonly ids: Ids,
    private readonly records: ActivityRecords,
    private readonly rights: ReportRights,
    private readonly accounts: TenantAccounts,
  ) {}

  /** Answers in the order of the reports. */
  async store(
    where: LockDocument | EntryPoint,
    { reports, areMany }: Reports,
    context: TenantContext,
  ): Promise<ReportOutcome[]> {
    const clock = await this.clocks.findClock(context.principal.company_id);
    const rights = this.rights.openFor(context.principal, earliestOf(reports, clock.now()));
    const outcomes: ReportOutcome[] = [];
    for (const [index, read] of reports.entries()) {
      const path = areMany ? `entries.${index}.` : '';
      outcomes.push(await this.#outcomeOf(read, { where, context, clock, rights, path }));
    }
    return outcomes;
  }

  async #outcomeOf(read: ReadReport, reporting: Reporting): Promise<ReportOutcome> {
    if ('fault' in read) return read.fault;
    return (await endOfSession(reporting.context)) ?? this.#store(read.report, reporting);
  }

  async #store(report: ActivityReport, reporting: Reporting): Promise<ReportOutcome> {
    const stated = eventOf(report, this.ids.ulid(), reporting);
    const refusal = instantFault(stated, reporting.path) ?? (await rightsFault(stated, reporting));
    const event = refusal === undefined ? await withPass(stated, reporting) : stated;
    const body_hash = hashOf(canonicalJson({ ...report }));
    // A repeat of an accepted report is accepted, even if a new report would be refused by now.
    const first = await (refusal ? this.#reservationOf(event) : this.#reserve(event, body_hash));
    if (first === undefined) return refusal!;
    if (first.body_hash !== body_hash) return errorOf('client_log_id_reused');
    const { log_id, tenant_id, recorded_at } = first.event.data;
    const { event: recorded, head } = first;
    await this.commands.execute(
      new WriteActivity({ type: 'RecordActivity', event: recorded, head }, reporting.context),
    );
    if (report.message !== undefined) await this.records.keepText(log_id, tenant_id, report.message);
    await this.#forgetIfErased(tenant_id);
    return { log_id, recorded_at: toTimestamp(recorded_at) };
  }

  /** An erasure that ended while the report was stored has not found its records. */
  async #forgetIfErased(tenant_id: string): Promise<void> {
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account !== undefined && account.erased_at !== null) await this.records.erasePersonalData(tenant_id);
  }

  async #reservationOf(event: ActivityReported): Promise<Reserved | undefined> {
    return event.data.client_log_hash === null ? undefined : this.records.reservationOf(event);
  }

  /** Without a `client_log_id` there can be no repeat, so nothing is reserved. */
  async #reserve(event: ActivityReported, body_hash: string): Promise<Reserved> {
    if (event.data.client_log_hash === null) return { event, body_hash };
    const [snapshot] = await this.projectors.projectorOf(event).states.load([streamOf(event)]);
    return this.records.reserve(event, body_hash, lastEventOf(snapshot).revision);
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
    pass_id: null,
  };
  if ('lock_id' in where) {
    const { lock_id } = where;
    const unit_id = unitOfLockAt(where, reported.occurred_at);
    return { type: 'LockActivityReported', data: { ...reported, lock_id, unit_id } };
  }
  const { entry_point_id } = where;
  return { type: 'EntryPointActivityReported', data: { ...reported, entry_point_id } };
}

/** With the pass whose key the person had at the instant. */
async function withPass(event: ActivityReported, { where, rights }: Reporting): Promise<ActivityReported> {
  const lock_id = 'lock_id' in where ? where.lock_id : where.entry_point_id;
  const pass_id = await rights.passOfKey(lock_id, event.data.occurred_at);
  return pass_id === null ? event : ({ ...event, data: { ...event.data, pass_id } } as ActivityReported);
}

/** A batch goes on for a while: its session may end, by a logout or an erasure. Then the rest is refused. */
async function endOfSession({ assertRights }: TenantContext): Promise<ApiError | undefined> {
  try {
    await assertRights?.();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

async function rightsFault(
  { data: { occurred_at } }: ActivityReported,
  { where, rights }: Reporting,
): Promise<ApiError | undefined> {
  const mayReport = await ('lock_id' in where
    ? rights.mayReportLock(where, occurred_at)
    : rights.mayReportEntryPoint(where, occurred_at));
  return mayReport ? undefined : errorOf('no_access_then');
}

/** The earliest instant (milliseconds) for which rights are asked. Older reports are refused without that. */
function earliestOf(reports: Reports['reports'], now: number): number {
  const instants = reports.map((read) =>
    'fault' in read ? now : (parseTimestamp(read.report.occurred_at ?? '') ?? now),
  );
  return Math.max(Math.min(now, ...instants), now - LONGEST_REPORT_DELAY_MS);
}

/** The fault of a report that is too old, or too far in the future. */
function instantFault(
  { data: { occurred_at, recorded_at } }: ActivityReported,
  path: string,
): ApiError | undefined {
  const fault =
    occurred_at < recorded_at - LONGEST_REPORT_DELAY_MS
      ? 'must be at most 30 days old'
      : occurred_at > recorded_at + FURTHEST_AHEAD_MS
        ? 'must be at most 5 minutes ahead'
        : undefined;
  return fault && invalidField(`${path}occurred_at`, 'out_of_range', `The occurred at field ${fault}.`);
}
