import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { EventStore, StreamAppend } from '#eventsourcing/log/event-store.js';

/** Everything that reached a store, as `event stream type` or `record collection kind`, in order. */
export class WriteRecorder {
  #written: string[] = [];

  events(store: EventStore): EventStore {
    return watched(store, 'append', (appends: readonly StreamAppend[]) => {
      for (const { stream, events } of appends) {
        for (const { type } of events) this.#written.push(`event ${stream} ${type}`);
      }
    });
  }

  records(store: DocumentStore): DocumentStore {
    return watched(store, 'write', (writes: readonly DocumentWrite[]) => {
      for (const { collection, kind } of writes) {
        if (!isNote(collection, kind)) this.#written.push(`record ${collection} ${kind}`);
      }
    });
  }

  /** Writes since the last call. */
  take(): string[] {
    const written = this.#written;
    this.#written = [];
    return written;
  }
}

/** Noted beside the requests: when an API token was last used, also by reads, and rejected rows, also of refused bulks. */
function isNote(collection: string, kind: DocumentWrite['kind']): boolean {
  return (collection === 'api_tokens' && kind === 'compare_and_set') || collection === 'rejected_at_sites';
}

/** The same store, one of whose methods tells what it is called with. */
function watched<S extends object, A>(store: S, method: keyof S, tell: (argument: A) => void): S {
  return new Proxy(store, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property);
      if (typeof member !== 'function') return member;
      const bound = member.bind(target) as (...given: unknown[]) => unknown;
      if (property !== method) return bound;
      return (...given: unknown[]) => {
        tell(given[0] as A);
        return bound(...given);
      };
    },
  });
}
