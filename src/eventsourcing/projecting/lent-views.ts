import type {
  Collection,
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  Lease,
  StoredDocument,
  WriteOutcome,
} from '#eventsourcing/documents/document-store.js';

/** The views with other documents or writes, for a while. Leases and counts are those of the views, which stay open. */
export abstract class LentViews implements DocumentStore {
  constructor(protected readonly views: DocumentStore) {}

  abstract collection<D extends StoredDocument>(
    declaration: CollectionDeclaration<D>,
  ): Promise<Collection<D>>;

  abstract write(writes: readonly DocumentWrite[]): Promise<WriteOutcome[]>;

  takeLease(...given: Parameters<DocumentStore['takeLease']>): Promise<Lease | undefined> {
    return this.views.takeLease(...given);
  }

  renewLease(lease: Lease): Promise<boolean> {
    return this.views.renewLease(lease);
  }

  releaseLease(lease: Lease): Promise<void> {
    return this.views.releaseLease(lease);
  }

  count(...given: Parameters<DocumentStore['count']>): ReturnType<DocumentStore['count']> {
    return this.views.count(...given);
  }

  ping(): Promise<void> {
    return this.views.ping();
  }

  /** Does nothing: the views stay open. */
  close(): Promise<void> {
    return Promise.resolve();
  }
}
