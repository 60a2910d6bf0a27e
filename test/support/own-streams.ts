import { DEFAULT_STREAM_PREFIX } from '../../src/config/environment.js';
import type { EventStore } from '../../src/log/event-store.js';
import { OwnStreams } from '../../src/log/own-streams.js';

/** A log as a service with the usual prefix sees it. */
export function ownStreams(store: EventStore): EventStore {
  return new OwnStreams(store, DEFAULT_STREAM_PREFIX);
}
