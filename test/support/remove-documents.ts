import type { DocumentStore } from '#eventsourcing/documents/document-store.js';

/** Takes documents away behind the back of the service, as where they were lost or never written. */
export async function removeDocuments(
  store: Pick<DocumentStore, 'write'>,
  { name }: { readonly name: string },
  ids: readonly string[],
): Promise<void> {
  await store.write(ids.map((id) => ({ kind: 'delete', collection: name, id })));
}
