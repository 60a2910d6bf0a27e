import type { EventStoreDBClient, StreamACL } from '@eventstore/db-client';
import { ServerRefusedError } from '../../storage/store.errors.js';
import { isAccessDenied } from './client-errors.js';

/** The users who read all events unless somebody changed that. */
const READERS = ['$admins'];

/**
 * Lets a user read all events, which is all that the service needs beyond what every user may. What is said of others
 * stays.
 * @returns false where the user could read them already
 * @throws ServerRefusedError where whoever asks is no administrator
 */
export async function grantReading(client: EventStoreDBClient, user: string): Promise<boolean> {
  try {
    const { metadata = {} } = await client.getStreamMetadata('$all');
    const acl: StreamACL = typeof metadata.acl === 'object' ? metadata.acl : {};
    const readRoles = acl.readRoles === undefined ? READERS : [acl.readRoles].flat();
    if (readRoles.includes(user)) return false;
    await client.setStreamMetadata('$all', { ...metadata, acl: { ...acl, readRoles: [...readRoles, user] } });
    return true;
  } catch (error) {
    if (!isAccessDenied(error)) throw error;
    throw new ServerRefusedError(
      'EVENTSTORE_URL: this user cannot grant rights on $all. Name an administrator before the host.',
    );
  }
}
