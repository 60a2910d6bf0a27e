import { ERROR_SCHEMA, type ErrorCode, schema } from '../../http/index.js';

const { extended, id, instant, list, named, object } = schema;

const LOGGED = object({ log_id: id, recorded_at: instant }, {}, 'LogEntry');
const REFUSED = object({ error: ERROR_SCHEMA }, {}, 'RefusedLogEntry');
const OUTCOMES = list({ title: 'LogOutcome', oneOf: [LOGGED, REFUSED] });

/** One report's entry, or the outcomes of many in order. */
export const LOGGED_SCHEMA = {
  title: 'Logged',
  oneOf: [LOGGED, object({ entries: OUTCOMES }, {}, 'LogEntries')],
};

/** The errors that refuse a single report, or all reports of a batch. */
const REFUSALS: readonly ErrorCode[] = ['no_access_then', 'client_log_id_reused', 'validation_failed'];

const ALL = object(
  { entries: { ...list(REFUSED), description: 'One error for each report, in the order of the request.' } },
  {},
  'RefusedOutcomes',
);

/** The answer to a batch of which nothing was recorded: the first error, with the outcome of each report. */
export const ALL_REFUSED = {
  codes: REFUSALS,
  schema: named(
    'RefusedLogEntries',
    extended(ERROR_SCHEMA, { data: { ...ALL, description: 'Why each report was refused.' } }),
  ),
};
