import { toTimestamp, timestampOrNull } from '#kernel/timestamp.js';
import { isLate } from './pull-lateness.js';
import type { PullRunRecord } from './pull-runs.js';
import type { PullSourceRecord } from './pull-sources.js';

/** The parts of an answer about a source that its record does not contain. */
export interface AnswerContext {
  readonly last_run: PullRunRecord | undefined;
  readonly isAdmin: boolean;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** The credential is never shown. Only admins see the query of the URL, because it may hold a credential. */
export function pullSourceAnswer(source: PullSourceRecord, { last_run, isAdmin, now }: AnswerContext) {
  const { _id, company_id, name, url, sealed_auth, interval_seconds, mapping, enabled, next_run_at } = source;
  return {
    pull_source_id: _id,
    company_id,
    name,
    url: isAdmin ? url : withoutQuery(url),
    has_auth_header: sealed_auth !== null,
    interval_seconds,
    mapping,
    enabled,
    created_at: toTimestamp(source.created_at),
    next_run_at: timestampOrNull(next_run_at),
    running: source.running !== null,
    late: isLate(source, now),
    last_run_id: source.run_id,
    last_run_state: last_run?.state ?? null,
    last_run_errors: last_run?.error_count ?? 0,
    last_run_total: last_run?.total ?? 0,
  };
}

export function pullRunAnswer(run: PullRunRecord) {
  const { started_at, finished_at, duration_ms } = run;
  return {
    run_id: run._id,
    state: run.state,
    requested_at: toTimestamp(run.requested_at),
    started_at: timestampOrNull(started_at),
    finished_at: timestampOrNull(finished_at),
    duration_ms: duration_ms ?? null,
    total: run.total,
    created: run.created,
    updated: run.updated,
    unchanged: run.unchanged,
    skipped: run.skipped,
    error_count: run.error_count,
    errors: run.errors,
    pages: run.pages,
    pages_not_modified: run.pages_not_modified,
    failure: run.failure,
  };
}

function withoutQuery(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return origin + pathname + (search === '' ? '' : '?…');
}
