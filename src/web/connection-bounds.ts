import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TURNS } from '#kernel/turns.js';
import { AddressRanges, networkOf, parseAddress } from '#kernel/address-ranges.js';

/** Limits of open connections: of the process, and of one client address that is not a trusted proxy. */
const MOST_CONNECTIONS = 4_000;
const MOST_PER_ADDRESS = 400;
/** Limit of unanswered requests on one connection. Only pipelining clients send more than one. */
const MOST_UNANSWERED = 16;
/** A connection that reads nothing for this time is closed. */
const LONGEST_UNREAD_MS = 20_000;
/** A client on this machine is a proxy or a test, so it has no limit per address. */
const LOCAL = ['127.0.0.0/8', '::1'];

interface ConnectionLimits {
  readonly most: number;
  readonly perAddress: number;
  /** Proxies have no limit per address, because they forward many clients. */
  readonly proxies: readonly string[];
}

export function connectionLimits(trusted_proxies: readonly string[]): ConnectionLimits {
  const proxies = [...LOCAL, ...trusted_proxies];
  return { most: MOST_CONNECTIONS, perAddress: MOST_PER_ADDRESS, proxies };
}

/** Closes new connections beyond the limits, so that one client cannot use up all connections. */
export function boundConnections(server: Server, { most, perAddress, proxies }: ConnectionLimits): void {
  const open = new Map<string, number>();
  const exempt = new AddressRanges(proxies);
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    TURNS.connected();
    const remote = parseAddress(socket.remoteAddress ?? '');
    if (remote !== undefined && exempt.has(remote)) return;
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
type CountedSocket = Socket & { [UNANSWERED]?: Set<ServerResponse> };

/**
 * Counts a request as unanswered until its response closes, and closes its connection if there are too many: otherwise
 * 55 kB of pipelined requests could demand 500 MB of answers.
 * @returns whether the request may be handled
 */
export function countUnanswered({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const unanswered = ((socket as CountedSocket)[UNANSWERED] ??= closedWith(socket));
  // The parser may still deliver requests after the connection was closed.
  if (unanswered.size >= MOST_UNANSWERED || socket.destroyed) {
    socket.destroy();
    return false;
  }
  unanswered.add(response);
  response.once('close', () => unanswered.delete(response));
  return true;
}

/** Responses that close with their connection. Node closes only the first; those that wait behind it have no socket yet. */
function closedWith(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  socket.once('close', () => {
    for (const response of responses) if (response.socket === null) response.emit('close');
  });
  return responses;
}

/** Closes idle connections and those that do not read their answers. A connection that waits for a handler stays open. */
export function boundUnread(server: Server): void {
  server.timeout = LONGEST_UNREAD_MS;
  server.on('timeout', (socket: CountedSocket) => {
    const waitsForHandler = (socket[UNANSWERED]?.size ?? 0) > 0 && socket.writableLength === 0;
    if (!waitsForHandler) socket.destroy();
  });
}
