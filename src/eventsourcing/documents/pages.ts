import type { Collection, FindOptions, StoredDocument } from './document-store.js';

const WHOLE_LIST_PAGE = 500;

/** All pages of a list. It reads a page when the caller has handled the one before. */
export async function* everyPage<P extends { readonly next_cursor: string | null }>(
  read: (cursor: string | undefined) => Promise<P>,
): AsyncGenerator<P, void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: P = await read(cursor);
    yield page;
    cursor = page.next_cursor;
  }
}

/** All documents of a collection, a page at a time. @throws StoreUnavailableError */
export async function* everyDocument<D extends StoredDocument>(
  collection: Collection<D>,
  limit: number,
): AsyncGenerator<D[], void> {
  for (let after: string | undefined; ;) {
    const page = await collection.page(after, limit);
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)!._id;
  }
}

/** All documents of a range in index order, for lists that are always short. @throws StoreUnavailableError */
export async function wholeList<D extends StoredDocument>(
  collection: Collection<D>,
  index: string,
  range: Omit<FindOptions, 'cursor' | 'limit'>,
): Promise<D[]> {
  const found: D[] = [];
  const pages = everyPage((cursor) => collection.find(index, { ...range, limit: WHOLE_LIST_PAGE, cursor }));
  for await (const { documents } of pages) found.push(...documents);
  return found;
}
