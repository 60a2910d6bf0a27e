import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { Webhooks } from './webhooks.js';

/**
 * Switches off every webhook of a copied store. The service that was copied may still send the same messages.
 * @returns how many were on @throws StoreUnavailableError
 */
export async function switchOffWebhooks(records: DocumentStore): Promise<number> {
  const webhooks = new Webhooks(records);
  const enabled = await webhooks.listEnabled();
  for (const { _id } of enabled)
    await webhooks.changeWebhook(_id, () => ({ enabled_since: null, disabled_reason: 'restored' }));
  return enabled.length;
}
