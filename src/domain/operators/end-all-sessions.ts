import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { emptyCollection } from '#eventsourcing/documents/empty-collection.js';
import { SESSIONS } from './operator-sessions.js';

/**
 * Ends the sessions of all operators in a restored store.
 * @returns how many ended @throws StoreUnavailableError
 */
export function endAllSessions(records: DocumentStore): Promise<number> {
  return emptyCollection(records, SESSIONS);
}
