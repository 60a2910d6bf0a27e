import { schema } from '../../http/index.js';

const { id, instant, list, object } = schema;

const LOGGED = object({ log_id: id, recorded_at: instant }, {}, 'LogEntry');

/** One report's entry, or those of many in order. */
export const LOGGED_SCHEMA = { oneOf: [LOGGED, object({ entries: list(LOGGED) })] };
