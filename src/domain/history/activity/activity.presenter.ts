import { toTimestamp } from '#kernel/timestamp.js';
import type { ActivityEventName, ActivityReported, ActivityResult } from '#domain/locks/index.js';
import type { DeniedThen } from '../core/denied-openings.js';

/** A report as the API shows it (decisions §3). */
export interface ActivityEntry {
  readonly log_id: string;
  readonly lock_id?: string;
  readonly lock_name?: string | null;
  readonly entry_point_id?: string;
  readonly entry_point_name?: string | null;
  readonly event: ActivityEventName;
  readonly result: ActivityResult;
  readonly failure_code: string | null;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly tenant_id: string;
  /** The pass whose key the person had. Absent: a unit gave the right. */
  readonly pass_id?: string;
  /** A text of the app. Null if it sent none, or if it was erased. */
  readonly message: string | null;
  /** The unit that the lock was on. Null: none. For operators. */
  readonly unit_id?: string | null;
  /** For operators. */
  readonly battery_percent?: number | null;
  /** The units of an opening by a tenant who was denied. For operators. */
  readonly denied_units?: readonly DeniedThen[];
  /** The entry point was outside of its hours. For operators. */
  readonly outside_hours?: true;
}

/** @param names of locks and entry points now, by id */
export function presentReport(
  report: ActivityReported,
  names: ReadonlyMap<string, string>,
  message: string | null,
): ActivityEntry {
  const { log_id, event, result, failure_code, occurred_at, recorded_at, tenant_id } = report.data;
  // One that was reserved by an earlier version has none.
  const pass_id = report.data.pass_id ?? undefined;
  return {
    log_id,
    ...placeOf(report, names),
    event,
    result,
    failure_code,
    occurred_at: toTimestamp(occurred_at),
    recorded_at: toTimestamp(recorded_at),
    tenant_id,
    ...(pass_id !== undefined && { pass_id }),
    message,
    battery_percent: report.data.battery_percent,
  };
}

function placeOf(report: ActivityReported, names: ReadonlyMap<string, string>) {
  if (report.type === 'EntryPointActivityReported') {
    const { entry_point_id } = report.data;
    return { entry_point_id, entry_point_name: names.get(entry_point_id) ?? null };
  }
  const { lock_id, unit_id } = report.data;
  return { lock_id, lock_name: names.get(lock_id) ?? null, unit_id };
}

/** The part of a report that integrators see. Only operators see the state of locks. */
export function forIntegrators({
  unit_id: _,
  battery_percent: __,
  denied_units: ___,
  outside_hours: ____,
  ...shown
}: ActivityEntry) {
  return shown;
}
