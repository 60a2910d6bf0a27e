import { beginningsOf } from '#kernel/core/search.js';
import type { Collection, DocumentPage, FindOptions, StoredDocument } from './document-store.js';

/** Appended to a prefix, it sorts after every text with that prefix. */
const LAST = '\u{10FFFF}';

/** Documents of one read, and the most that are read for one beginning, if a search wants only some of them. */
const SIFTED_READ = 500;
const MOST_SIFTED = 5_000;

/** Which documents a search by name wants. */
export interface Called<D> {
  /** The most documents for each beginning of the text. */
  readonly limit: number;
  /** Absent: every one. Documents that are not wanted do not count. */
  readonly isWanted?: ((document: D) => boolean) | undefined;
}

/**
 * At most `limit` documents of a company for each beginning that a text may have in an index of names, each once. With
 * `isWanted`, the first 5,000 documents of a beginning are looked at.
 * @throws StoreUnavailableError
 */
export async function documentsCalled<D extends StoredDocument>(
  collection: Collection<D>,
  index: string,
  text: string,
  company_id: string,
  { limit, isWanted }: Called<D>,
): Promise<D[]> {
  const found = await Promise.all(
    beginningsOf(text).map(async (from): Promise<readonly D[]> => {
      const range = { equals: [company_id], from, to: from + LAST };
      if (isWanted !== undefined)
        return sift((next) => collection.find(index, { ...range, ...next }), { limit, isWanted });
      return (await collection.find(index, { ...range, limit })).documents;
    }),
  );
  return [...new Map(found.flat().map((one) => [one._id, one])).values()];
}

async function sift<D>(
  read: (next: Pick<FindOptions, 'limit' | 'cursor'>) => Promise<DocumentPage<D>>,
  { limit, isWanted }: { readonly limit: number; readonly isWanted: (document: D) => boolean },
): Promise<readonly D[]> {
  const wanted: D[] = [];
  let cursor: string | undefined;
  for (let seen = 0; seen < MOST_SIFTED && wanted.length < limit; seen += SIFTED_READ) {
    const page = await read({ limit: SIFTED_READ, cursor });
    wanted.push(...page.documents.filter(isWanted));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return wanted.slice(0, limit);
}
