import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../config/clock.js';
import { pause } from '../config/pause.js';
import { probeTls, type TlsProbe, type ServerAddress } from './tls-probe.js';
import { ServerRefusedError } from './store.errors.js';

/** A server that the process waits for at its start. */
export interface AwaitedServer {
  /** The environment variable with its address. */
  readonly variable: string;
  /** Undefined if the address asks for no TLS. */
  readonly tls: { readonly ca?: ConnectionOptions['ca'] } | undefined;
  /** Advice for the address: how to switch TLS on, and off. */
  readonly options: { readonly tls: string; readonly plain: string };
  /** Empty if only DNS knows the hosts. */
  addresses(): readonly ServerAddress[];
}

interface Fault {
  readonly line: string;
  /** True if waiting cannot help. */
  readonly isFinal: boolean;
}

/** Milliseconds. */
const LONGEST_WAIT = 30_000;
const BETWEEN_TRIES = 250;

/**
 * Waits at start until the server answers, so that the service accepts no requests before.
 * @param attempt connects or asks once; if it throws a {@link ServerRefusedError}, the wait ends at once
 * @throws ServerRefusedError with one line for the administrator, without credentials (decisions §10)
 */
export async function awaitServer<T>(
  server: AwaitedServer,
  attempt: () => Promise<T>,
  clock: Clock,
): Promise<T> {
  const giveUpAt = clock.now() + LONGEST_WAIT;
  for (;;) {
    let fault: Fault;
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ServerRefusedError) throw error;
      fault = await faultOf(server, error);
    }
    if (fault.isFinal || clock.now() + BETWEEN_TRIES >= giveUpAt) throw new ServerRefusedError(fault.line);
    await pause(clock, BETWEEN_TRIES);
  }
}

/** Hosts and ports as text. */
export function addressesText(addresses: readonly ServerAddress[]): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
}

/** Connects to the hosts once more by TLS, because that error says more than the client's. */
async function faultOf(server: AwaitedServer, error: unknown): Promise<Fault> {
  const addresses = server.addresses();
  const probes = await Promise.all(addresses.map((address) => probeTls(address, server.tls?.ca)));
  const lines = probes.map((probe, index) => finalFault(server, addressesText([addresses[index]!]), probe));
  const isUsable = probes.some(({ kind }, index) => kind !== 'away' && lines[index] === undefined);
  const line = isUsable ? undefined : lines.find((found) => found !== undefined);
  if (line !== undefined) return { line: `${server.variable}: ${line}`, isFinal: true };
  const away = probes.find((probe) => probe.kind === 'away');
  const reason = !isUsable && away ? away.reason : error instanceof Error ? error.message : String(error);
  const from = addresses.length === 0 ? 'the server' : addressesText(addresses);
  return {
    line: `${server.variable}: no answer from ${from} within ${LONGEST_WAIT / 1_000} s (${reason.split('\n', 1)[0]}). Start the server, or correct the address.`,
    isFinal: false,
  };
}

/** Undefined if the client can use the host, or if the host does not answer. */
function finalFault({ tls, options }: AwaitedServer, address: string, probe: TlsProbe): string | undefined {
  switch (probe.kind) {
    case 'plain':
      return tls && `${address} does not use TLS. ${options.plain}.`;
    case 'untrusted':
      return tls
        ? `the certificate of ${address} cannot be verified (${probe.reason}). Name the file of its authority with tlsCAFile, or correct the host.`
        : `${address} uses TLS. ${options.tls}.`;
    case 'tls':
      return tls ? undefined : `${address} uses TLS. ${options.tls}.`;
    default:
      return undefined;
  }
}
