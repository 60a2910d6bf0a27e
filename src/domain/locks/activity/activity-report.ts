import type { ApiError } from '#kernel/errors/api-error.js';
import type { ActivityEventName, ActivityResult } from '../core/activity.events.js';

/** What an app reports of a lock or an entry point (decisions §5). */
export interface ActivityReport {
  readonly event: ActivityEventName;
  readonly result: ActivityResult;
  readonly failure_code?: string;
  /** A timestamp. Absent: now. */
  readonly occurred_at?: string;
  readonly client_log_id?: string;
  readonly battery_percent?: number;
  readonly message?: string;
}

/** A valid report, or its fault. */
export type ReadReport = { readonly report: ActivityReport } | { readonly fault: ApiError };

export interface Reports {
  readonly reports: readonly ReadReport[];
  /** True if the body and the answer have a list `entries`. */
  readonly areMany: boolean;
  /** Their size as JSON. */
  readonly bytes: number;
}
