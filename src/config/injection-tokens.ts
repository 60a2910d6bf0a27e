/** Injection tokens of the ports. `app.module.ts` is the only place that binds them to adapters. */
export const CLOCK = Symbol('Clock');
export const IDS = Symbol('Ids');
export const ENVIRONMENT = Symbol('Environment');
export const EVENT_STORE = Symbol('EventStore');
/** Documents that are not derived from events: credentials, personal details, idempotency records. Never lost. */
export const RECORDS = Symbol('Records');
/** The store that the records commit with (`RecordsCommit`). */
export const RECORDS_COMMIT_WITH = Symbol('RecordsCommitWith');
/** Documents derived from events: disposable, rebuilt from the log. */
export const VIEWS = Symbol('Views');
export const LOGGER = Symbol('Logger');
/** The key under which log lines name people and addresses (`Buffer`). */
export const SUBJECT_KEY = Symbol('SubjectKey');
export const REQUEST_HASH_KEY = Symbol('RequestHashKey');
/** The world's calendar of local days (access/core `Calendar`). */
export const CALENDAR = Symbol('Calendar');
