import type { CollectionDeclaration, StoredDocument } from '#eventsourcing/documents/document-store.js';

/** A collection whose documents are made from documents of other views. */
export interface DerivedView<D extends StoredDocument = StoredDocument> {
  readonly collection: CollectionDeclaration<D>;
  /**
   * Corrects all documents.
   * @param renewed true if documents of those views were corrected
   */
  run(renewed: boolean, signal: AbortSignal): Promise<void>;
  /** Corrects the documents with these ids. */
  correctSome(ids: readonly string[]): Promise<void>;
  /** The streams whose events a document shows. */
  sourcesOf(document: D): readonly string[];
  /** The right document, but where the stored one may show an older revision of the same, that revision. */
  withStoredRevisions(stored: D, right: D): D;
  /** Whether the stored document shows fewer events than the right one. */
  isBehind(stored: D, right: D): boolean;
  /** Whether the stored document was right until an instant that has passed, so that the service will renew it. */
  isPastItsEnd(stored: D, right: D): Promise<boolean>;
}
