import type { EventStoreDBClient, StreamACL } from '@eventstore/db-client';
import { ServerRefusedError } from '#kernel/errors/store.errors.js';
import { isAccessDenied } from './client-errors.js';

/** The groups that may read all events by default. */
const READERS = ['$admins'];

/**
 * Allows a user to read all events. The service needs no other right beyond those of every user. The rights of others
 * stay as they are.
 * @returns false if the user has the right already
 * @throws ServerRefusedError if the caller is not an administrator
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
