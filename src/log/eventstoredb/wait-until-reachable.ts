import { systemClock, type Clock } from '../../config/clock.js';
import { awaitServer } from '../../storage/await-server.js';
import type { EventStoreDbEventStore } from './eventstoredb-event-store.js';

/**
 * Waits at start until the server answers. A ping that fails is tried again; the client itself never gives up.
 * @throws ServerRefusedError with the line to print before the process ends
 */
export function waitUntilReachable(
  store: Pick<EventStoreDbEventStore, 'ping' | 'connection'>,
  clock: Clock = systemClock,
): Promise<void> {
  const { addresses, channel } = store.connection;
  const server = {
    variable: 'EVENTSTORE_URL',
    tls: channel.insecure === true ? undefined : authorityOf(channel.rootCertificate),
    options: { tls: 'Leave out tls=false', plain: 'Set tls=false, if the network between is trusted' },
    addresses: () => addresses,
  };
  return awaitServer(server, () => store.ping(), clock);
}

function authorityOf(ca: Buffer | undefined): { readonly ca?: Buffer } {
  return ca === undefined ? {} : { ca };
}
