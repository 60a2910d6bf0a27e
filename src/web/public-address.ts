import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { ClientAddresses } from './client-address.js';

/** The address of this service in links that leave it (decisions §6: `PUBLIC_URL`). */
@Injectable()
export class PublicAddress {
  constructor(
    private readonly addresses: ClientAddresses,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'public_url'>,
  ) {}

  /** Without a path and without a slash at its end. Where `PUBLIC_URL` is unset, it is the address that the client used. */
  originFor(request: Pick<Request, 'socket' | 'headers'>): string {
    const scheme = this.addresses.isOverTls(request) ? 'https' : 'http';
    return this.environment.public_url ?? `${scheme}://${request.headers.host}`;
  }
}
