import type { CollectionDeclaration, DocumentStore, StoredDocument } from './document-store.js';

/**
 * Keeps what the records are to remember of how they were made, unless they remember something already.
 * @param replaces this is what they are to remember from now on, whatever it was
 * @returns what they remember, for whoever must not go on with another
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
  if (kept === undefined) throw new Error('What was kept is gone.');
  return kept;
}
