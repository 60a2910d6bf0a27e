import type { ErrorCode } from '#kernel/errors/error-codes.js';
import { ERROR_SCHEMA } from '#web/openapi/parts.js';
import * as schema from '#web/openapi/schemas.js';

const { either, extended, id, instant, list, named, object, says } = schema;

const LOGGED = named(
  'LogEntry',
  object({
    log_id: says("The service's identifier of the report.", id),
    recorded_at: says('Instant at which the service recorded it.', instant),
  }),
);
const REFUSED = named(
  'RefusedLogEntry',
  object({ error: says('Why the report was refused.', ERROR_SCHEMA) }),
);
const OUTCOMES = says(
  'One outcome for each report, in the order of the request.',
  list(either('LogOutcome', LOGGED, REFUSED)),
);

export const LOGGED_SCHEMA = either('Logged', LOGGED, named('LogEntries', object({ entries: OUTCOMES })));
export type ReportAnswer = schema.AnswerOf<typeof LOGGED_SCHEMA>;

/** The errors that refuse a single report, or all reports of a batch. */
const REFUSALS: readonly ErrorCode[] = ['no_access_then', 'client_log_id_reused', 'validation_failed'];

const ALL = named(
  'RefusedOutcomes',
  object({ entries: says('One error for each report, in the order of the request.', list(REFUSED)) }),
);

/** The answer to a batch that was refused whole: the first error, and the outcome of each report. */
export const ALL_REFUSED = {
  codes: REFUSALS,
  schema: named(
    'RefusedLogEntries',
    extended(ERROR_SCHEMA, { data: says('Why each report was refused.', ALL) }),
  ),
};
