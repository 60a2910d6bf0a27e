export { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb-event-store.js';
export { installClientRejectionHandler } from './client-process-errors.js';
export { waitUntilReachable } from './wait-until-reachable.js';
export type { EventStoreDbTimings } from './timings.js';
