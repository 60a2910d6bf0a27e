import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';

export interface StoreObserver {
  /** @param events the number of events in the append to one stream */
  appended(outcome: 'appended' | 'conflict' | 'failed', events: number): void;
  /** @param seconds from the write to its answer */
  waited(store: 'log' | 'records', seconds: number): void;
}

/** Wraps a store to observe its appends. */
export function measuredLog(store: EventStore, observer: StoreObserver): EventStore {
  return {
    append: async (appends) => {
      const begun = performance.now();
      try {
        const outcomes = await store.append(appends);
        outcomes.forEach(({ kind }, index) => observer.appended(kind, appends[index]!.events.length));
        return outcomes;
      } catch (error) {
        for (const { events } of appends) observer.appended('failed', events.length);
        throw error;
      } finally {
        observer.waited('log', secondsSince(begun));
      }
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    head: () => store.head(),
    subscribe: (after, handler) => store.subscribe(after, handler),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

/** Wraps a store to observe its writes. */
export function measuredRecords(store: DocumentStore, observer: StoreObserver): DocumentStore {
  return {
    write: async (writes, options) => {
      const begun = performance.now();
      try {
        return await store.write(writes, options);
      } finally {
        observer.waited('records', secondsSince(begun));
      }
    },
    collection: (declaration) => store.collection(declaration),
    takeLease: (name, owner, milliseconds) => store.takeLease(name, owner, milliseconds),
    renewLease: (lease) => store.renewLease(lease),
    releaseLease: (lease) => store.releaseLease(lease),
    count: (name, by, milliseconds) => store.count(name, by, milliseconds),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1_000;
}
