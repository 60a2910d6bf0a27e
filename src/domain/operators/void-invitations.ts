import type { Clock } from '#kernel/clock.js';
import { systemIds } from '#kernel/ids.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { Operators } from './operators.js';

/**
 * Ends the open invitations in a restored store: a link may have been used or withdrawn since the backup. The log still names
 * them, as it names the sessions; a record without the invitation lets nobody in.
 * @returns how many ended @throws StoreUnavailableError
 */
export async function voidInvitations(records: DocumentStore, clock: Clock): Promise<number> {
  const operators = new Operators(records, clock, systemIds);
  const invited = (await operators.all()).filter(({ invitation }) => invitation !== null);
  for (const operator of invited) await operators.replace(operator, { ...operator, invitation: null });
  return invited.filter(({ invitation }) => clock.now() < invitation!.expires_at).length;
}
