import type { Clock } from '#kernel/clock.js';
import { pause } from '#kernel/pause.js';
import { probeTls, type ServerAddress, type TlsOffer, type TlsProbe } from './tls-probe.js';
import { ServerRefusedError } from '#kernel/errors/store.errors.js';

/** A server that the process waits for at its start. */
export interface AwaitedServer {
  /** The environment variable with its address. */
  readonly variable: string;
  /** Undefined if the address asks for no TLS. */
  readonly tls: TlsOffer | undefined;
  /** Advice for the address: how to switch TLS on, and off, and how to name a client certificate. */
  readonly options: { readonly tls: string; readonly plain: string; readonly certificate: string };
  /** Empty if only DNS knows the hosts. */
  addresses(): readonly ServerAddress[];
}

interface Fault {
  readonly line: string;
  /** True if waiting cannot help. */
  readonly isFinal: boolean;
}

const LONGEST_WAIT_MS = 30_000;
const RETRY_EVERY_MS = 250;

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
  const giveUpAt = clock.now() + LONGEST_WAIT_MS;
  for (;;) {
    let fault: Fault;
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ServerRefusedError) throw error;
      fault = await faultOf(server, error);
    }
    if (fault.isFinal || clock.now() + RETRY_EVERY_MS >= giveUpAt) throw new ServerRefusedError(fault.line);
    await pause(clock, RETRY_EVERY_MS);
  }
}

/** Hosts and ports as text. */
export function addressesText(addresses: readonly ServerAddress[]): string {
  return addresses.map(({ host, port }) => `${host}:${port}`).join(', ');
}

/** Connects to the hosts once more by TLS, because that error says more than the client's. */
async function faultOf(server: AwaitedServer, error: unknown): Promise<Fault> {
  const hosts = await Promise.all(server.addresses().map((address) => probeHost(server, address)));
  const isUsable = hosts.some(({ probe, fault }) => !isSilent(probe) && fault === undefined);
  const final = isUsable ? undefined : hosts.find(({ fault }) => fault !== undefined);
  if (final !== undefined) return { line: `${server.variable}: ${final.fault}`, isFinal: true };
  const silent = isUsable ? undefined : hosts.map(({ probe }) => probe).find(isSilent);
  const reason = silent?.reason ?? (error instanceof Error ? error.message : String(error));
  const from = hosts.length === 0 ? 'the server' : addressesText(server.addresses());
  const noAnswer = `no answer from ${from} within ${LONGEST_WAIT_MS / 1_000} s (${reason.split('\n', 1)[0]})`;
  return { line: `${server.variable}: ${noAnswer}. ${adviceOnSilence(server, silent)}`, isFinal: false };
}

function adviceOnSilence({ tls, options }: AwaitedServer, silent: SilentProbe | undefined): string {
  const advice = 'Start the server, or correct the address.';
  if (tls === undefined || silent?.kind !== 'closed') return advice;
  return `${advice} If it does not use TLS: ${options.plain}.`;
}

interface ProbedHost {
  readonly probe: TlsProbe;
  /** Undefined if the client can use the host, or if waiting may help. */
  readonly fault: string | undefined;
}

async function probeHost(server: AwaitedServer, address: ServerAddress): Promise<ProbedHost> {
  const probe = await probeTls(address, server.tls);
  return { probe, fault: finalFault(server, addressesText([address]), probe) };
}

type SilentProbe = Extract<TlsProbe, { readonly kind: 'away' | 'closed' }>;

/** True for a server that may be about to start. */
function isSilent(probe: TlsProbe): probe is SilentProbe {
  return probe.kind === 'away' || probe.kind === 'closed';
}

function finalFault({ tls, options }: AwaitedServer, address: string, probe: TlsProbe): string | undefined {
  if (isSilent(probe)) return undefined;
  if (tls === undefined) return probe.kind === 'plain' ? undefined : `${address} uses TLS. ${options.tls}.`;
  switch (probe.kind) {
    case 'plain':
      return `${address} does not use TLS. ${options.plain}.`;
    case 'untrusted':
      return `the certificate of ${address} cannot be verified (${probe.reason}). ${adviceOnCertificate(probe.code)}`;
    case 'certificate_demanded':
      return `${address} demands a client certificate. ${options.certificate}.`;
    case 'refused':
      return `${address} uses TLS, but the handshake failed (${probe.reason}). Compare its TLS settings with the address.`;
    case 'tls':
      return undefined;
  }
}

function adviceOnCertificate(code: string): string {
  switch (code) {
    case 'INVALID_PURPOSE':
      return 'Give the server a certificate whose purposes include serverAuth.';
    case 'CERT_HAS_EXPIRED':
      return 'Renew the certificate.';
    default:
      return 'Name the file of its authority with tlsCAFile, or correct the host.';
  }
}
