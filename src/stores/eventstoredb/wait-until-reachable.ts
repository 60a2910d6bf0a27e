import { systemClock, type Clock } from '#kernel/clock.js';
import { awaitServer } from '#stores/reaching/await-server.js';
import type { TlsOffer } from '#stores/reaching/tls-probe.js';
import type { Connection } from './connection.js';
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
    tls: channel.insecure === true ? undefined : offerOf(channel),
    options: {
      tls: 'Leave out tls=false',
      plain: 'Set tls=false, if the network between is trusted',
      certificate: 'Name one with userCertFile and userKeyFile',
    },
    addresses: () => addresses,
  };
  return awaitServer(server, () => store.ping(), clock);
}

/** As gRPC connects. */
function offerOf(channel: Connection['channel']): TlsOffer {
  const { rootCertificate: ca, userCertFile: cert, userKeyFile: key } = channel;
  return { ALPNProtocols: ['h2'], ...(ca && { ca }), ...(cert && key && { cert, key }) };
}
