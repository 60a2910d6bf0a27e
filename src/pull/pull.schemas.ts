import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { ENTRY_ERROR_SCHEMA } from '#api/push/index.js';
import { PULL_FAULT_CODES } from './fetching/pull-fault.js';

const { company_id, created_at, crm_unit_id, name, pull_source_id } = field;
const { flag, id, instant, list, nullable, named, object, oneOf, recordOf, says, text, whole } = schema;

const RUN_STATE = oneOf(['queued', 'running', 'succeeded', 'failed']);

export const PULL_LATE_SCHEMA = says('True if a run is overdue.', flag);

export const PULL_SOURCE_SCHEMA = named(
  'PullSource',
  object({
    pull_source_id,
    company_id,
    name,
    url: says('Address that is fetched.', text),
    has_auth_header: says('True if an `Authorization` header is sent. It is never shown.', flag),
    interval_seconds: says('Seconds between two runs. 60 to 86,400.', whole),
    mapping: says(
      'For each name in the source, the field of a bulk entry that it fills; null leaves it out. Null: the names are the same.',
      nullable(recordOf(nullable(text))),
    ),
    enabled: says('False: it runs only when somebody starts it.', flag),
    created_at,
    next_run_at: says('Instant of the next run. Null if it is off.', nullable(instant)),
    running: says('True during a run.', flag),
    late: PULL_LATE_SCHEMA,
    last_run_id: says('The newest run. Null if there is none.', nullable(id)),
    last_run_state: says('State of the newest run. Null if there is none.', nullable(RUN_STATE)),
    last_run_errors: says('Rows that the newest run refused.', whole),
    last_run_total: says('Rows that the newest run read.', whole),
  }),
);

export const PULL_SOURCES_SCHEMA = schema.named(
  'PullSources',
  object({ pull_sources: says('The pull sources of the company.', list(PULL_SOURCE_SCHEMA)) }),
);

const PULL_FAILURE = named(
  'PullFailure',
  object({
    code: says('For programs. Stable.', oneOf(PULL_FAULT_CODES)),
    message: says('For people. It may change.', text),
  }),
);

const REJECTED_ROW = object({
  crm_unit_id,
  error: says('For people. It may change.', text),
  sample: says('The refused value. Null if there is none or it may be personal.', nullable(text)),
});
export type RejectedRow = schema.AnswerOf<typeof REJECTED_ROW>;

export const PULL_TEST_SCHEMA = schema.named(
  'PullSourceTest',
  object({
    failure: says('Why the first page could not be read. Null if it was.', nullable(PULL_FAILURE)),
    entries: says('Entries of the first page.', whole),
    has_more_pages: says('True if a page follows.', flag),
    checked: says('Rows that were checked as a run checks them.', whole),
    error_count: says('Checked rows that a run would refuse.', whole),
    reasons: says('The first reasons, each once.', list(text)),
    rejected: says('The checked rows that a run would refuse.', list(REJECTED_ROW)),
    fields: says(
      'The fields of its first 100 entries, at most 100.',
      list(
        object({
          name: says('Name of the field. Dots separate the names of nested objects.', text),
          sample: says('A value. Null if there is none or it is masked.', nullable(text)),
          is_masked: says('True if the value may be personal and is not shown.', flag),
          field: says(
            'The matching field of a bulk entry, by the mapping or by its name. Null: none.',
            nullable(text),
          ),
        }),
      ),
    ),
  }),
);
export type PullSourceTested = schema.AnswerOf<typeof PULL_TEST_SCHEMA>;

export const PULL_RUN_SCHEMA = named(
  'PullRun',
  object({
    run_id: says("The service's identifier of the run.", id),
    state: says('State of the run.', RUN_STATE),
    requested_at: says('Instant of the request.', instant),
    started_at: says('Instant of the start. Null before it.', nullable(instant)),
    finished_at: says('Instant of the end. Null before it.', nullable(instant)),
    duration_ms: says('Milliseconds from start to end. Null before the end.', nullable(whole)),
    total: says('Rows that were read. The counts beside it add up to it.', whole),
    created: says('Units that were created.', whole),
    updated: says('Units that were changed, or whose tenant was.', whole),
    unchanged: says('Units that already were as sent. They leave no event.', whole),
    skipped: says(
      'Entries older than what another write said of their unit, by the `snapshot_at` of the page.',
      whole,
    ),
    error_count: says('Rows that were refused.', whole),
    errors: says(
      'The first entries that were not applied. `error_count` counts all.',
      list(ENTRY_ERROR_SCHEMA),
    ),
    pages: says('Pages that were read.', whole),
    pages_not_modified: says('Pages that had not changed since the run before.', whole),
    failure: says('Why the run failed. Null if it did not.', nullable(PULL_FAILURE)),
  }),
);

export const PULL_RUNS_SCHEMA = schema.named(
  'PullRunPage',
  object({
    runs: says('The runs of this page, newest first.', list(PULL_RUN_SCHEMA)),
    next_cursor: schema.next_cursor,
  }),
);
