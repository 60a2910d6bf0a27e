import type { TLSSocket } from 'node:tls';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { type Address, AddressRanges, networkOf, parseAddress } from '#kernel/address-ranges.js';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';

/** What the connection and trusted proxies tell of a request's client: its address, and whether it used TLS (decisions §5, §10: `TRUSTED_PROXIES`). */
@Injectable()
export class ClientAddresses {
  readonly #proxies: AddressRanges;

  constructor(@Inject(ENVIRONMENT) environment: Pick<Environment, 'trusted_proxies'>) {
    this.#proxies = new AddressRanges(environment.trusted_proxies);
  }

  /**
   * The address of the connection. If that is a trusted proxy, the last address in `X-Forwarded-For` that is not one.
   * IPv4 addresses are plain, also on IPv6 sockets. Empty if the connection has ended.
   */
  findAddress(request: Pick<Request, 'socket' | 'headers'>): string {
    return this.#find(request)?.toString() ?? '';
  }

  /** The key of limits per client: the IPv4 address, or the network /64 of IPv6, which one client often has whole. */
  networkOf(request: Pick<Request, 'socket' | 'headers'>): string {
    return networkOf(this.#find(request));
  }

  /** Whether the client used TLS, on the connection or to a trusted proxy (`X-Forwarded-Proto`). */
  isOverTls({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean {
    if ((socket as Partial<TLSSocket>).encrypted === true) return true;
    const protos = headers['x-forwarded-proto'];
    if (protos === undefined) return false;
    const proto = [protos].flat().join().split(',').at(-1)!.trim();
    const peer = parseAddress(socket.remoteAddress ?? '');
    return proto === 'https' && peer !== undefined && this.#proxies.has(peer);
  }

  #find(request: Pick<Request, 'socket' | 'headers'>): Address | undefined {
    let client = parseAddress(request.socket.remoteAddress ?? '');
    const chain = forwardedFor(request);
    // Each proxy appends its client's address. Only addresses that a trusted proxy appended are reliable, so read from the end.
    while (client !== undefined && this.#proxies.has(client)) {
      const before = chain.pop();
      const address = before === undefined ? undefined : parseAddress(withoutPort(before));
      if (address === undefined) break;
      client = address;
    }
    return client;
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
