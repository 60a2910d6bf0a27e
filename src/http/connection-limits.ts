import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { AddressRanges, canonicalAddress, networkOf } from '../config/address-ranges.js';

/** Sockets that a process holds at once, and those of one client address that is no proxy of ours. */
const MOST_CONNECTIONS = 4_000;
const MOST_PER_ADDRESS = 400;
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
