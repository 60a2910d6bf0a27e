/**
 * Storage format: add, never change. Instants are milliseconds since the epoch. Nobody is named but by id; the app's
 * own words (`message`) are kept in a record outside of the log, because they may say anything about anybody.
 */

import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';
import type { Decided } from '../../writing/aggregate.js';

export const ACTIVITY_EVENTS = ['unlock', 'lock', 'attempt'] as const;
export const ACTIVITY_RESULTS = ['success', 'failure'] as const;
export type ActivityEventName = (typeof ACTIVITY_EVENTS)[number];
export type ActivityResult = (typeof ACTIVITY_RESULTS)[number];

/** Codes of a failure by which the lock did its duty: it opened to nobody who had no right to it. */
export const REFUSAL_CODES: readonly string[] = ['access_denied', 'key_expired', 'no_valid_key'];

/** Milliseconds by which an app may report late (decisions §5). */
export const LONGEST_REPORT_DELAY = 30 * 24 * 60 * 60_000;

interface ReportedActivity {
  readonly log_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly tenant_id: string;
  readonly event: ActivityEventName;
  readonly result: ActivityResult;
  readonly failure_code: string | null;
  /** When it happened by the app's account. */
  readonly occurred_at: number;
  /** When it was reported, by the service's clock: what is dated later happened then at the latest. */
  readonly recorded_at: number;
  readonly battery_percent: number | null;
  /** The app's own id of the report, hashed with the tenant: apps may put anything into it. */
  readonly client_log_hash: string | null;
}

/** Every type with the schema it is written with. */
export const ACTIVITY_EVENT_TYPES: Readonly<Record<ActivityReported['type'], EventType>> = {
  LockActivityReported: { schema: 1 },
  EntryPointActivityReported: { schema: 1 },
};

/** The data of each event, by its type. */
export interface ActivityEvents {
  /** A tenant's app has reported what happened at a lock. */
  readonly LockActivityReported: ReportedActivity & {
    readonly lock_id: string;
    /** The unit that the lock was on when it happened; null for none. */
    readonly unit_id: string | null;
  };
  /** The same of an entry point. */
  readonly EntryPointActivityReported: ReportedActivity & { readonly entry_point_id: string };
}

export type ActivityReported = EventOf<ActivityEvents>;
export type LockActivityReported = EventOf<ActivityEvents, 'LockActivityReported'>;

/** The stream of what was reported of a lock. */
export function lockStream(lock_id: string): string {
  return `lock-${lock_id}`;
}

/** The stream of what was reported of an entry point. */
export function entryPointStream(entry_point_id: string): string {
  return `entry-point-${entry_point_id}`;
}

/** The stream that an activity belongs to. */
export function streamOf(event: ActivityReported): string {
  return event.type === 'LockActivityReported'
    ? lockStream(event.data.lock_id)
    : entryPointStream(event.data.entry_point_id);
}

/** The fold of a stream of reports. No decision looks at it, so it only counts. */
export interface ActivityState {
  readonly reported: number;
}

export function evolveActivity(state: ActivityState | undefined): ActivityState {
  return { reported: (state?.reported ?? 0) + 1 };
}

/** Store an event, unless it is in the log. */
export interface AppendActivity<Event extends ActivityReported = ActivityReported> {
  readonly event: Event;
  readonly isLogged: boolean;
}

export function decideActivity<Event extends ActivityReported>(
  _state: ActivityState | undefined,
  { event, isLogged }: AppendActivity<Event>,
): Decided<Event, undefined, never, ActivityState> {
  return { events: isLogged ? [] : [event], result: undefined };
}

/** Somebody's way into a unit, which moves its `last_accessed_at` forward. */
export interface UnitAccessed {
  readonly unit_id: string;
  /** Milliseconds; never after the report was recorded. */
  readonly at: number;
}

/** The access that a report tells of, undefined where it tells of none. */
export function accessToldBy({ data }: LockActivityReported): UnitAccessed | undefined {
  const { event, result, unit_id, occurred_at, recorded_at } = data;
  if (event !== 'unlock' || result !== 'success' || unit_id === null) return undefined;
  return { unit_id, at: Math.min(occurred_at, recorded_at) };
}
