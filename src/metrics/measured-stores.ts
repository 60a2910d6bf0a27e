import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';

/** Is told of what the stores have taken. */
export interface StoreObserver {
  /** @param events how many the append to one stream had */
  appended(outcome: 'appended' | 'conflict' | 'failed', events: number): void;
  /** How long a write waited for the store's promise that it is durable, or its refusal. */
  waited(store: 'log' | 'records', seconds: number): void;
}

/** The same store, whose appends are told of. */
export function measuredLog(store: EventStore, observer: StoreObserver): EventStore {
  return {
    append: async (appends) => {
      const begun = performance.now();
      try {
        const outcomes = await store.append(appends);
        outcomes.forEach(({ kind }, place) => observer.appended(kind, appends[place]!.events.length));
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

/** The same store, whose writes are told of. */
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
