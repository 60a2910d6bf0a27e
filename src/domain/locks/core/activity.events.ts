/**
 * Storage format: add, never change. Instants are milliseconds since the epoch. Persons appear only by id. The free text
 * of a report (`message`) is a record outside of the log, because it may contain personal data.
 */

import type { EventType } from '#eventsourcing/log/codec.js';
import type { JsonObject } from '#eventsourcing/log/event-store.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { Decided } from '#eventsourcing/writing/aggregate.js';

export const ACTIVITY_EVENTS = ['unlock', 'lock', 'attempt'] as const;
export const ACTIVITY_RESULTS = ['success', 'failure'] as const;
export type ActivityEventName = (typeof ACTIVITY_EVENTS)[number];
export type ActivityResult = (typeof ACTIVITY_RESULTS)[number];

/** Failure codes of a lock that worked: it refused somebody who had no right to open it. */
export const REFUSAL_CODES: readonly string[] = ['access_denied', 'key_expired', 'no_valid_key'];

/** True if the lock was right to refuse. False: it failed. */
export function isRefusal(failure_code: string | null): boolean {
  return failure_code !== null && REFUSAL_CODES.includes(failure_code);
}

/** Greatest age of a report, in milliseconds (decisions §5). */
export const LONGEST_REPORT_DELAY_MS = 30 * 24 * 60 * 60_000;

interface ReportedActivity {
  readonly log_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly tenant_id: string;
  readonly event: ActivityEventName;
  readonly result: ActivityResult;
  readonly failure_code: string | null;
  /** The instant of the activity, by the app's clock. */
  readonly occurred_at: number;
  /** The instant of the report, by the service's clock. A later `occurred_at` counts as this instant. */
  readonly recorded_at: number;
  readonly battery_percent: number | null;
  /** The app's own id of the report, hashed with the tenant's id, because it may contain personal data. */
  readonly client_log_hash: string | null;
  /** The pass whose key the person had then. Null: a unit gave the right. Schema 1 had none: it was null. */
  readonly pass_id: string | null;
}

const withoutPass = (data: JsonObject): JsonObject => ({ ...data, pass_id: null });

export const ACTIVITY_EVENT_TYPES: Readonly<Record<ActivityReported['type'], EventType>> = {
  LockActivityReported: { schema: 2, upcasts: { 1: withoutPass } },
  EntryPointActivityReported: { schema: 2, upcasts: { 1: withoutPass } },
};

/** The data of each event, by its type. */
export interface ActivityEvents {
  readonly LockActivityReported: ReportedActivity & {
    readonly lock_id: string;
    /** The unit that the lock was on at that instant; null: none. */
    readonly unit_id: string | null;
  };
  readonly EntryPointActivityReported: ReportedActivity & { readonly entry_point_id: string };
}

export type ActivityReported = EventOf<ActivityEvents>;
export type LockActivityReported = EventOf<ActivityEvents, 'LockActivityReported'>;

export function lockStream(lock_id: string): string {
  return `lock-${lock_id}`;
}

export function entryPointStream(entry_point_id: string): string {
  return `entry-point-${entry_point_id}`;
}

export function streamOf(event: ActivityReported): string {
  return event.type === 'LockActivityReported'
    ? lockStream(event.data.lock_id)
    : entryPointStream(event.data.entry_point_id);
}

/** What a lock or an entry point was reported to be like at an instant. */
export interface Condition {
  readonly company_id: string;
  readonly location_id: string;
  readonly lock_id?: string;
  readonly entry_point_id?: string;
  /** Milliseconds. */
  readonly at: number;
}

/** The newest charge of a battery that was reported. */
export interface Battery extends Condition {
  readonly percent: number;
}

/** The newest failure. A correct refusal is none. */
export interface Failure extends Condition {
  readonly event: ActivityEventName;
  readonly failure_code: string | null;
  /** Milliseconds; later than `at` if a phone was offline. */
  readonly recorded_at: number;
}

export interface ActivityState {
  /** The number of reports. */
  readonly reported: number;
  /** Absent: never reported. */
  readonly battery?: Battery;
  /** Absent: it never failed. */
  readonly failure?: Failure;
}

export function evolveActivity(state: ActivityState | undefined, event: ActivityReported): ActivityState {
  const { battery_percent: percent, result, failure_code, recorded_at } = event.data;
  const condition = conditionIn(event);
  const charged = percent === null ? undefined : { ...condition, percent };
  const hasFailed = result === 'failure' && !isRefusal(failure_code);
  const failed = hasFailed ? { ...condition, event: event.data.event, failure_code, recorded_at } : undefined;
  const battery = newestOf(state?.battery, charged);
  const failure = newestOf(state?.failure, failed);
  return { reported: (state?.reported ?? 0) + 1, ...(battery && { battery }), ...(failure && { failure }) };
}

function conditionIn({ data }: ActivityReported): Condition {
  const { company_id, location_id } = data;
  const id = 'lock_id' in data ? { lock_id: data.lock_id } : { entry_point_id: data.entry_point_id };
  return { company_id, location_id, ...id, at: happenedAt(data) };
}

/** Reports may arrive in any order. */
function newestOf<C extends Condition>(known: C | undefined, reported: C | undefined): C | undefined {
  return known !== undefined && (reported === undefined || reported.at < known.at) ? known : reported;
}

export interface ActivityCommand<Event extends ActivityReported = ActivityReported> {
  readonly type: 'RecordActivity';
  readonly event: Event;
  /** True if the log contains the event already. */
  readonly isLogged: boolean;
}

export function decideActivity<Event extends ActivityReported>(
  _state: ActivityState | undefined,
  { event, isLogged }: ActivityCommand<Event>,
): Decided<Event, undefined, never, ActivityState> {
  return { events: isLogged ? [] : [event], result: undefined };
}

/** The instant of a report (milliseconds): never after it was recorded. */
export function happenedAt({ occurred_at, recorded_at }: Instants): number {
  return Math.min(occurred_at, recorded_at);
}

type Instants = Pick<ActivityReported['data'], 'occurred_at' | 'recorded_at'>;

/** A successful unlock of a unit, which sets its `last_accessed_at`. */
interface UnitAccessed {
  readonly unit_id: string;
  /** Milliseconds; never after the report was recorded. */
  readonly at: number;
}

/** Undefined if the report is not about a successful unlock of a unit. */
export function accessReportedBy({ data }: LockActivityReported): UnitAccessed | undefined {
  const { event, result, unit_id } = data;
  if (event !== 'unlock' || result !== 'success' || unit_id === null) return undefined;
  return { unit_id, at: happenedAt(data) };
}
