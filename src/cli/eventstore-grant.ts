import { systemClock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CommandError, type Output } from './output.js';

/** User names that the server accepts, and that need no escape in its address. */
const USER = /^[A-Za-z0-9_.@-]{1,100}$/;

/**
 * Gives the service's user the right to read all events of an EventStoreDB. `EVENTSTORE_URL` must name an administrator.
 * @returns 0
 */
export async function grantOnEventStore(
  user: string,
  { eventstore_url: url, eventstore_insecure_allowed: allowInsecure }: Environment,
  { stdout }: Output,
): Promise<number> {
  if (url === undefined)
    throw new CommandError('EVENTSTORE_URL is not set: name the server and its administrator.');
  if (!USER.test(user)) throw new CommandError('The name of a user has letters, digits and ._@- only.');
  const { EventStoreDbEventStore, waitUntilReachable } = await import('#stores/eventstoredb/index.js');
  const store = new EventStoreDbEventStore({ url, allowInsecure });
  try {
    await waitUntilReachable(store, systemClock);
    const isNew = await store.grantReading(user);
    stdout.write(
      `ok: ${user} ${isNew ? 'may read all events from now on' : 'could read all events already'}.\n`,
    );
    return 0;
  } finally {
    await store.close();
  }
}
