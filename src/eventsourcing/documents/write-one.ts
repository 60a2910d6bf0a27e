import type {
  CollectionDeclaration,
  DocumentStore,
  DocumentWrite,
  StoredDocument,
  WriteOutcome,
} from './document-store.js';

type WithoutCollection<Write> = Write extends DocumentWrite ? Omit<Write, 'collection'> : never;

/** Applies one write to a collection, which it opens first. @throws StoreUnavailableError */
export async function writeOne<D extends StoredDocument>(
  store: DocumentStore,
  declaration: CollectionDeclaration<D>,
  write: WithoutCollection<DocumentWrite>,
): Promise<WriteOutcome['kind']> {
  await store.collection(declaration);
  const [outcome] = await store.write([{ ...write, collection: declaration.name }]);
  return outcome!.kind;
}
