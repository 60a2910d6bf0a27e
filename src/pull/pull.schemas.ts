import { schema } from '../http/index.js';
import { ENTRY_ERROR_SCHEMA } from '../push/index.js';
import { PULL_FAULT_CODES } from './fetching/pull-fault.js';

const { flag, id, instant, list, nullable, object, oneOf, page, recordOf, text, whole } = schema;

const RUN_STATE = oneOf(['queued', 'running', 'succeeded', 'failed']);

export const LAST_RUN_TOTAL_SCHEMA = { ...whole, description: 'Rows that the newest run read.' };

export const PULL_SOURCE_SCHEMA = object(
  {
    pull_source_id: id,
    company_id: id,
    name: text,
    url: text,
    has_auth_header: flag,
    interval_seconds: whole,
    mapping: nullable(recordOf(nullable(text))),
    enabled: flag,
    created_at: instant,
    next_run_at: nullable(instant),
    running: flag,
    late: flag,
    last_run_id: nullable(id),
    last_run_state: nullable(RUN_STATE),
    last_run_errors: whole,
    last_run_total: LAST_RUN_TOTAL_SCHEMA,
  },
  {},
  'PullSource',
);

export const PULL_SOURCES_SCHEMA = schema.named(
  'PullSources',
  object({ pull_sources: list(PULL_SOURCE_SCHEMA) }),
);

export const PULL_RUN_SCHEMA = object(
  {
    run_id: id,
    state: RUN_STATE,
    requested_at: instant,
    started_at: nullable(instant),
    finished_at: nullable(instant),
    duration_ms: nullable(whole),
    total: whole,
    created: whole,
    updated: whole,
    unchanged: whole,
    skipped: {
      ...whole,
      description: 'Entries older than a single write of their unit, by the `snapshot_at` of the page.',
    },
    error_count: whole,
    errors: list(ENTRY_ERROR_SCHEMA),
    pages: whole,
    pages_not_modified: whole,
    failure: nullable(object({ code: oneOf(PULL_FAULT_CODES), message: text }, {}, 'PullFailure')),
  },
  {},
  'PullRun',
);

export const PULL_RUNS_SCHEMA = schema.named('PullRunPage', page('runs', PULL_RUN_SCHEMA));
