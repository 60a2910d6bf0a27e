import type { CollectionDeclaration, DocumentStore, StoredDocument } from './document-store.js';

/**
 * Stores a setting in the records, unless one is stored already.
 * @param replaces true: it replaces the stored one
 * @returns the setting that is stored now
 * @throws StoreUnavailableError
 */
export async function keepOnce<D extends StoredDocument>(
  records: DocumentStore,
  declaration: CollectionDeclaration<D>,
  document: D,
  replaces = false,
): Promise<D> {
  const collection = await records.collection(declaration);
  await records.write([{ kind: replaces ? 'put' : 'insert', collection: declaration.name, document }]);
  const kept = await collection.get(document._id);
  if (kept === undefined) throw new Error(`The document ${document._id} was removed meanwhile.`);
  return kept;
}
