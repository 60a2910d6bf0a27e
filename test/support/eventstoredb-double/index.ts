export { Disk } from './disk.js';
export { EventStoreDbDouble, type DoubleOptions } from './eventstoredb-double.js';
export { EventLog, MOST_DATA_BYTES, type ProposedEvent, type StoredEvent } from './event-log.js';
