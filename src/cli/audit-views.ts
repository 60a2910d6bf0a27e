import { openViewsBuilder } from '#app/app.module.js';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { compareViews, type ViewsFound } from '#eventsourcing/projecting/views-comparison.js';
import { type Output, progressOn } from './output.js';
import { commandPorts } from './stores.js';

interface StoredViews {
  readonly environment: Environment;
  readonly eventStore: SoundStreams;
  readonly records: DocumentStore;
  readonly views: DocumentStore | undefined;
  readonly clock: Clock;
}

/** Compares the views with the log, and writes nothing. @throws StoreUnavailableError */
export function compareStoredViews(stored: StoredViews, output: Output): Promise<ViewsFound> {
  const { environment, eventStore, records, views, clock } = stored;
  return compareViews({
    store: eventStore,
    damaged: eventStore.damaged,
    records,
    views,
    clock,
    progress: progressOn(output, 'compared with the views'),
    signal: new AbortController().signal,
    openBuilder: (compared) =>
      openViewsBuilder({
        ...commandPorts(environment, { eventStore, records, views: compared }),
        clock,
      }),
  });
}
