import { type CountedWindow, MemoryCounters } from '#eventsourcing/documents/counted-window.js';
import type { Clock } from '#kernel/clock.js';
import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';

type Versioned = StoredDocument & { readonly version?: number; readonly expires_at?: number };

/** As much of a document store as idempotency needs, with faults on request and every write on record. */
export class MemoryRecords implements DocumentStore {
  readonly documents = new Map<string, Versioned>();
  readonly writes: DocumentWrite[] = [];
  /** Asked before each write; an error it returns is thrown in the write's place. */
  fault: (write: DocumentWrite) => Error | undefined = () => undefined;

  constructor(private readonly clock: Clock) {
    this.#counters = new MemoryCounters(clock);
  }

  collection<D extends StoredDocument>(_declaration: CollectionDeclaration<D>): Promise<Collection<D>> {
    const unused = () => Promise.reject(new Error('Not needed here.'));
    return Promise.resolve({
      get: (id: string) => Promise.resolve(this.live(id) as D | undefined),
      getMany: unused,
      find: unused,
      findAny: unused,
      page: unused,
    });
  }

  write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]> {
    this.writes.push(...writes);
    for (const write of writes) {
      const fault = this.fault(write);
      if (fault !== undefined) return Promise.reject(fault);
    }
    return Promise.resolve(writes.map((write) => this.apply(write)));
  }

  readonly #counters: MemoryCounters;

  count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    return this.#counters.count(name, by, milliseconds);
  }

  takeLease = () => Promise.resolve(undefined);
  renewLease = () => Promise.resolve(false);
  releaseLease = () => Promise.resolve();
  drop = () => Promise.resolve();
  ping = () => Promise.resolve();
  close = () => Promise.resolve();

  private live(id: string): Versioned | undefined {
    const document = this.documents.get(id);
    return document !== undefined && (document.expires_at ?? Infinity) > this.clock.now()
      ? document
      : undefined;
  }

  private apply(write: DocumentWrite): WriteOutcome {
    if (write.kind === 'delete') return this.remove(write.id, write.expected);
    const standing = this.live(write.document._id);
    if (write.kind === 'insert' && standing !== undefined) return { kind: 'duplicate', index: '_id' };
    if (write.kind === 'compare_and_set' && (standing?.version ?? null) !== write.expected) {
      return { kind: 'version_conflict' };
    }
    this.documents.set(write.document._id, structuredClone(write.document));
    return { kind: 'written' };
  }

  private remove(id: string, expected: number | undefined): WriteOutcome {
    const standing = this.live(id);
    if (expected !== undefined && standing?.version !== expected) return { kind: 'version_conflict' };
    this.documents.delete(id);
    return { kind: 'written' };
  }
}

export const storeIsDown = () => new StoreUnavailableError('The records are away.', true);
