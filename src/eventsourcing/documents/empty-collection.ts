import type { CollectionDeclaration, DocumentStore, StoredDocument } from './document-store.js';

const PAGE = 500;

/** Removes every document of a collection that nobody else writes. @returns how many there were @throws StoreUnavailableError */
export async function emptyCollection<D extends StoredDocument>(
  store: DocumentStore,
  declaration: CollectionDeclaration<D>,
): Promise<number> {
  const collection = await store.collection(declaration);
  let removed = 0;
  for (;;) {
    const page = await collection.page(undefined, PAGE);
    if (page.length === 0) return removed;
    await store.write(
      page.map(({ _id: id }) => ({ kind: 'delete', collection: declaration.name, id }) as const),
    );
    removed += page.length;
  }
}
