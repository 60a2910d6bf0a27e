import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { parseAddress } from '#kernel/address-ranges.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { ClientAddresses } from './client-address.js';

/** The address of this service in links that leave it (decisions §6: `PUBLIC_URL`). */
@Injectable()
export class PublicAddress {
  constructor(
    private readonly addresses: ClientAddresses,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'public_url' | 'production'>,
  ) {}

  /** Without a path and without a slash at its end. Where `PUBLIC_URL` is unset, it is the address that the client used. */
  originFor(request: Pick<Request, 'socket' | 'headers'>): string {
    const scheme = this.addresses.isOverTls(request) ? 'https' : 'http';
    return this.environment.public_url ?? `${scheme}://${request.headers.host}`;
  }

  /**
   * The same for a link that goes to somebody else. In production browsers come over TLS, also where a proxy ends it.
   * @throws ApiError 409 in production, if the client used an address that leads nobody else here
   */
  linkOriginFor(request: Pick<Request, 'socket' | 'headers'>): string {
    const { public_url, production } = this.environment;
    if (public_url !== undefined || !production) return this.originFor(request);
    const { host } = request.headers;
    if (host === undefined || leadsOthersElsewhere(host)) throw errorOf('public_url_required');
    return `https://${host}`;
  }
}

/**
 * Whether a link to the host leads each reader to a machine of their own. Wider than `isLoopback`, which must be sure that
 * nothing leaves this machine.
 * @param host with or without a port
 */
function leadsOthersElsewhere(host: string): boolean {
  const hostname = host.replace(/:\d*$/, '').toLowerCase();
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true;
  const range = parseAddress(hostname.replace(/^\[|\]$/g, ''))?.range();
  return range === 'loopback' || range === 'unspecified';
}
