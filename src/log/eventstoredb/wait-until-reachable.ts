import { systemClock, type Clock } from '../../config/clock.js';
import { awaitServer } from '../../storage/await-server.js';
import type { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/**
 * Waits at start until the server answers. Asking through the store itself is safe, with `esdb+discover` too: discovery
 * goes on for as long as the client lives, and only the question, never the client, gives up.
 * @throws ServerRefusedError with the line to end the start with
 */
export function waitUntilReachable(
  store: Pick<EventStoreDbEventStore, 'ping' | 'connection'>,
  clock: Clock = systemClock,
): Promise<void> {
  const { places, channel } = store.connection;
  const server = {
    variable: 'EVENTSTORE_URL',
    tls: channel.insecure === true ? undefined : authorityOf(channel.rootCertificate),
    options: { tls: 'Leave out tls=false', plain: 'Say tls=false, if the network between is trusted' },
    places: () => places,
  };
  return awaitServer(server, () => store.ping(), clock);
}

function authorityOf(ca: Buffer | undefined): { readonly ca?: Buffer } {
  return ca === undefined ? {} : { ca };
}
