import type { ErrorCode } from '../../http/error-codes.js';
import { ERROR_SCHEMA } from '../../http/openapi/parts.js';
import * as schema from '../../http/openapi/schemas.js';

const { extended, id, instant, list, named, object, says } = schema;

const LOGGED = object(
  {
    log_id: says("The service's identifier of the report.", id),
    recorded_at: says('Instant at which the service recorded it.', instant),
  },
  {},
  'LogEntry',
);
const REFUSED = object({ error: says('Why the report was refused.', ERROR_SCHEMA) }, {}, 'RefusedLogEntry');
const OUTCOMES = says(
  'One outcome for each report, in the order of the request.',
  list({ title: 'LogOutcome', oneOf: [LOGGED, REFUSED] }),
);

export const LOGGED_SCHEMA = {
  title: 'Logged',
  oneOf: [LOGGED, object({ entries: OUTCOMES }, {}, 'LogEntries')],
};

/** The errors that refuse a single report, or all reports of a batch. */
const REFUSALS: readonly ErrorCode[] = ['no_access_then', 'client_log_id_reused', 'validation_failed'];

const ALL = object(
  { entries: says('One error for each report, in the order of the request.', list(REFUSED)) },
  {},
  'RefusedOutcomes',
);

/** The answer to a batch that was refused whole: the first error, and the outcome of each report. */
export const ALL_REFUSED = {
  codes: REFUSALS,
  schema: named(
    'RefusedLogEntries',
    extended(ERROR_SCHEMA, { data: says('Why each report was refused.', ALL) }),
  ),
};
