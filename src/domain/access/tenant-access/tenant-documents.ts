import type { DocumentStore, FindOptions } from '#eventsourcing/documents/document-store.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access.documents.js';

const PAGE_SIZE = 100;
/** A scan of a whole location keeps its documents out of the cache. */
export const SCAN_PAGE_SIZE = 500;

/**
 * Reads the tenants' documents in a range of an index. Skips a document that a write moves ahead in the index meanwhile.
 * @throws StoreUnavailableError
 */
export async function* tenantDocuments(
  views: DocumentStore,
  index: 'by_location' | 'by_location_and_state' | 'by_location_and_bearing' | 'by_location_and_valid_until',
  range: Pick<FindOptions, 'equals' | 'from' | 'to'>,
  limit = PAGE_SIZE,
): AsyncGenerator<TenantAccessDocument, void> {
  const documents = await views.collection(TENANT_ACCESS);
  const seen = new Set<string>();
  for await (const page of everyPage((cursor) => documents.find(index, { ...range, limit, cursor }))) {
    for (const document of page.documents) {
      if (seen.has(document._id)) continue;
      seen.add(document._id);
      yield document;
    }
  }
}
