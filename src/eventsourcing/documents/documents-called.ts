import { beginningsOf } from '#kernel/core/search.js';
import type { Collection, StoredDocument } from './document-store.js';

/** Appended to a prefix, it sorts after every text with that prefix. */
const LAST = '\u{10FFFF}';

/**
 * At most `limit` documents of a company for each beginning that a text may have in an index of names, each once.
 * @throws StoreUnavailableError
 */
export async function documentsCalled<D extends StoredDocument>(
  collection: Collection<D>,
  index: string,
  text: string,
  company_id: string,
  limit: number,
): Promise<D[]> {
  const found = await Promise.all(
    beginningsOf(text).map((from) =>
      collection.find(index, { equals: [company_id], from, to: from + LAST, limit }),
    ),
  );
  return [...new Map(found.flatMap(({ documents }) => documents.map((one) => [one._id, one]))).values()];
}
