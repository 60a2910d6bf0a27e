import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AddressRanges, canonicalAddress, networkOf } from '../config/address-ranges.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';

/** Finds the client's address of a request behind trusted proxies (decisions §5, §10: `TRUSTED_PROXIES`). */
@Injectable()
export class ClientAddresses {
  private readonly proxies: AddressRanges;

  constructor(@Inject(ENVIRONMENT) environment: Pick<Environment, 'trusted_proxies'>) {
    this.proxies = new AddressRanges(environment.trusted_proxies);
  }

  /**
   * The address of the connection. If that is a trusted proxy, the last address in `X-Forwarded-For` that is not one.
   * IPv4 addresses are plain, also on IPv6 sockets. Empty if the connection has ended.
   */
  of(request: Pick<Request, 'socket' | 'headers'>): string {
    let client = canonicalAddress(request.socket.remoteAddress ?? '') ?? '';
    const chain = forwardedFor(request);
    // Each proxy appends its client's address. Only addresses that a trusted proxy appended are reliable, so read from the end.
    while (client !== '' && this.proxies.has(client)) {
      const before = chain.pop();
      const address = before === undefined ? undefined : canonicalAddress(withoutPort(before));
      if (address === undefined) break;
      client = address;
    }
    return client;
  }

  /** The key of limits per client: the IPv4 address, or the network /64 of IPv6, which one client often has whole. */
  networkOf(request: Pick<Request, 'socket' | 'headers'>): string {
    return networkOf(this.of(request));
  }
}

function forwardedFor(request: Pick<Request, 'headers'>): string[] {
  const given = request.headers['x-forwarded-for'];
  if (given === undefined) return [];
  return (Array.isArray(given) ? given.join(',') : given).split(',').map((address) => address.trim());
}

/** Some proxies add the port: `192.0.2.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(address: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
