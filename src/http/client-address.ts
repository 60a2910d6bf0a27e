import { Inject, Injectable } from '@nestjs/common';
import type { TLSSocket } from 'node:tls';
import type { Request } from 'express';
import { AddressRanges, canonicalAddress, networkOf } from '../config/address-ranges.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';

/** Tells where a request comes from (decisions §5, §10: `TRUSTED_PROXIES`). */
@Injectable()
export class ClientAddresses {
  private readonly proxies: AddressRanges;

  constructor(@Inject(ENVIRONMENT) environment: Pick<Environment, 'trusted_proxies'>) {
    this.proxies = new AddressRanges(environment.trusted_proxies);
  }

  /**
   * The address of the connection or, where that is a trusted proxy's, the nearest in `X-Forwarded-For` that is not.
   * Canonical: IPv4 is plain also where the socket is IPv6. Empty where the connection is gone.
   */
  of(request: Pick<Request, 'socket' | 'headers'>): string {
    let client = canonicalAddress(request.socket.remoteAddress ?? '') ?? '';
    const chain = forwardedFor(request);
    // Each proxy appends whom it answers, so only what a trusted one appended may be believed: read from the end.
    while (client !== '' && this.proxies.has(client)) {
      const before = chain.pop();
      const address = before === undefined ? undefined : canonicalAddress(withoutPort(before));
      if (address === undefined) break;
      client = address;
    }
    return client;
  }

  /** Whether the client spoke TLS: on this connection, or to the trusted proxy, which says so in `X-Forwarded-Proto`. */
  isOverTls({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
    if ((socket as Partial<TLSSocket>).encrypted === true) return true;
    const proto = [headers['x-forwarded-proto'] ?? ''].flat().join().split(',').at(-1)!.trim();
    return proto === 'https' && this.proxies.has(canonicalAddress(socket.remoteAddress ?? '') ?? '');
  }

  /**
   * The key of limits per client address: the address, or the /64 network of IPv6, because one client commonly has
   * all of it.
   */
  networkOf(request: Pick<Request, 'socket' | 'headers'>): string {
    return networkOf(this.of(request));
  }
}

function forwardedFor(request: Pick<Request, 'headers'>): string[] {
  const given = request.headers['x-forwarded-for'];
  if (given === undefined) return [];
  return (Array.isArray(given) ? given.join(',') : given).split(',').map((address) => address.trim());
}

/** Some proxies name the port as well: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
