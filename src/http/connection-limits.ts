import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressRanges, canonicalAddress, networkOf } from '../config/address-ranges.js';

/** Sockets that a process holds at once, and those of one client address that is no proxy of ours. */
const MOST_CONNECTIONS = 4_000;
const MOST_PER_ADDRESS = 400;
/** Requests of one connection that have come and are not answered. Browsers and proxies send one; pipelining clients send more. */
const MOST_UNANSWERED = 16;
/** A connection that takes nothing of what was sent to it for so long, in milliseconds, is ended. */
const LONGEST_UNREAD = 20_000;
/** Whoever is on this machine is a proxy or a test, and may name others' addresses. */
const LOCAL = ['127.0.0.0/8', '::1'];

export interface ConnectionLimits {
  readonly most: number;
  readonly perAddress: number;
  /** Addresses that many clients come from. */
  readonly proxies: readonly string[];
}

export function connectionLimits(trusted_proxies: readonly string[]): ConnectionLimits {
  const proxies = [...LOCAL, ...trusted_proxies];
  return { most: MOST_CONNECTIONS, perAddress: MOST_PER_ADDRESS, proxies };
}

/** Ends connections beyond the limits as they come: one client must not take the places of all others. */
export function boundConnections(server: Server, { most, perAddress, proxies }: ConnectionLimits): void {
  const open = new Map<string, number>();
  const exempt = new AddressRanges(proxies);
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const remote = canonicalAddress(socket.remoteAddress ?? '') ?? '';
    if (exempt.has(remote)) return;
    const address = networkOf(remote);
    const held = open.get(address) ?? 0;
    if (held >= perAddress) return void socket.destroy();
    open.set(address, held + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

const UNANSWERED = Symbol('Unanswered');
type CountedSocket = Socket & { [UNANSWERED]?: number };

/**
 * Counts a request until it has been answered, and ends its connection if too many before it have not been: 55 kB of
 * pipelined requests would otherwise ask for 500 MB of answers.
 * @returns whether the request may be handled; if so, call {@link leavePlace} when its response closes
 */
export function holdPlace({ socket }: IncomingMessage): boolean {
  const counted = socket as CountedSocket;
  const unanswered = (counted[UNANSWERED] ?? 0) + 1;
  // The parser goes on with what it was given after the connection was ended.
  if (unanswered > MOST_UNANSWERED || socket.destroyed) {
    socket.destroy();
    return false;
  }
  counted[UNANSWERED] = unanswered;
  return true;
}

export function leavePlace({ socket }: IncomingMessage): void {
  (socket as CountedSocket)[UNANSWERED]! -= 1;
}

/** Ends connections that do not read what they asked for, and idle ones; one that waits for its handler stays. */
export function boundUnread(server: Server): void {
  server.timeout = LONGEST_UNREAD;
  server.on('timeout', (socket: CountedSocket) => {
    const waitsForHandler = (socket[UNANSWERED] ?? 0) > 0 && socket.writableLength === 0;
    if (!waitsForHandler) socket.destroy();
  });
}
