import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { emptyCollection } from '#eventsourcing/documents/empty-collection.js';
import { OTP_CODES } from './otp-codes.js';
import { TENANT_SESSIONS } from './tenant-sessions.js';

/**
 * Ends the sessions and codes of all tenants in a restored store: some were ended or used since the backup.
 * @returns how many sessions ended @throws StoreUnavailableError
 */
export async function endAllLogins(records: DocumentStore): Promise<number> {
  await emptyCollection(records, OTP_CODES);
  return emptyCollection(records, TENANT_SESSIONS);
}
