import { DEFAULT_STREAM_PREFIX } from '#kernel/environment/environment.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';

/** A log as a service with the usual prefix sees it. */
export function ownStreams(store: EventStore): EventStore {
  return new OwnStreams(store, DEFAULT_STREAM_PREFIX);
}
