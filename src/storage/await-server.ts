import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../config/clock.js';
import { pause } from '../config/pause.js';
import { greet, type Greeting, type ServerPlace } from './server-greeting.js';
import { ServerRefusedError } from './store.errors.js';

/** A server that a start waits for. */
export interface AwaitedServer {
  /** The variable with its address, which the line is to name. */
  readonly variable: string;
  /** Undefined where the address names it plain. */
  readonly tls: { readonly ca?: ConnectionOptions['ca'] } | undefined;
  /** Options of the address with TLS, and without. */
  readonly options: { readonly tls: string; readonly plain: string };
  /** As far as they are known: none where only the domain's name service tells them. */
  places(): readonly ServerPlace[];
}

interface Fault {
  readonly line: string;
  /** Waiting does not mend it. */
  readonly isFinal: boolean;
}

/** Milliseconds. */
const LONGEST_WAIT = 30_000;
const BETWEEN_TRIES = 250;

/**
 * Waits at start until the server answers, so that the service does not take requests that it cannot serve.
 * @param attempt its own {@link ServerRefusedError} ends the wait at once
 * @throws ServerRefusedError with the one line to end the start with; it shows no credentials (decisions §10)
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

/** The places of a server, for a line. */
export function placesOf(places: readonly ServerPlace[]): string {
  return places.map(({ host, port }) => `${host}:${port}`).join(', ');
}

/** The port's own greeting says more than the client's error. */
async function faultOf(server: AwaitedServer, error: unknown): Promise<Fault> {
  const places = server.places();
  const greetings = await Promise.all(places.map((place) => greet(place, server.tls?.ca)));
  const lines = greetings.map((greeting, index) => finalFault(server, placesOf([places[index]!]), greeting));
  const isUsable = greetings.some(({ kind }, index) => kind !== 'away' && lines[index] === undefined);
  const line = isUsable ? undefined : lines.find((found) => found !== undefined);
  if (line !== undefined) return { line: `${server.variable}: ${line}`, isFinal: true };
  const away = greetings.find((greeting) => greeting.kind === 'away');
  const reason = !isUsable && away ? away.reason : error instanceof Error ? error.message : String(error);
  const from = places.length === 0 ? 'the server' : placesOf(places);
  return {
    line: `${server.variable}: no answer from ${from} within ${LONGEST_WAIT / 1_000} s (${reason.split('\n', 1)[0]}). Start the server, or correct the address.`,
    isFinal: false,
  };
}

/** Undefined where the client should get on with it, or where nothing answers. */
function finalFault({ tls, options }: AwaitedServer, place: string, greeting: Greeting): string | undefined {
  switch (greeting.kind) {
    case 'plain':
      return tls && `${place} speaks no TLS. ${options.plain}.`;
    case 'untrusted':
      return tls
        ? `the certificate of ${place} cannot be verified (${greeting.reason}). Name the file of its authority with tlsCAFile, or correct the host.`
        : `${place} speaks TLS. ${options.tls}.`;
    case 'tls':
      return tls ? undefined : `${place} speaks TLS. ${options.tls}.`;
    default:
      return undefined;
  }
}
