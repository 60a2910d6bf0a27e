/** Injection tokens of the ports. Only `app.module.ts` binds them to adapters. */
export const CLOCK = Symbol('Clock');
export const IDS = Symbol('Ids');
export const ENVIRONMENT = Symbol('Environment');
export const EVENT_STORE = Symbol('EventStore');
/** Documents that no event can make again: credentials, personal details, idempotency records. */
export const RECORDS = Symbol('Records');
/**
 * A boolean. True: the stores are embedded, and no other process works on them. Records and events share one commit, in
 * the order of the calls. False: they are on servers, and each write commits by itself.
 */
export const EMBEDDED = Symbol('Embedded');
/** Documents made from events. They can be made again. */
export const VIEWS = Symbol('Views');
export const LOGGER = Symbol('Logger');
/** The `Buffer` that keys the hashes of people and addresses in log lines. */
export const SUBJECT_KEY = Symbol('SubjectKey');
export const REQUEST_HASH_KEY = Symbol('RequestHashKey');
/** The real calendar of local days (access/core `Calendar`). */
export const CALENDAR = Symbol('Calendar');
