export { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb-event-store.js';
export { ConnectionRefusedError } from './connection.js';
export { installClientRejectionHandler } from './client-process-errors.js';
export { waitUntilReachable } from './wait-until-reachable.js';
export { DEFAULT_TIMINGS, type EventStoreDbTimings } from './timings.js';
