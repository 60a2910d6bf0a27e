import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  SetMetadata,
  UseGuards,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ClientAddresses } from '../http/client-address.js';
import { RateLimits } from '../http/pipeline/rate-limits.js';
import { checkEntry } from '../http/validation/valid.js';
import { hashOf } from '../config/ids.js';
import { internationalPhone, PhoneNumber } from './auth.dto.js';
import { LoginNetworks } from './login-networks.js';
import { SOURCE_POLICY } from './otp-limits.js';

const POLICY = Symbol('LoginLimit');

/**
 * Counts a request against the limit of the client's address, then of the phone number that it names (specification §8).
 * Counts before anything else is checked, whatever the outcome. A known network of the phone has its own count
 * (decisions §5). Keys are hashes, because the counts may be in a shared store.
 */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: ClientAddresses,
    private readonly networks: LoginNetworks,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // The address comes first: a client over this limit does not use up the limits of other people's numbers.
    const network = this.addresses.networkOf(request);
    await this.limits.enforce(SOURCE_POLICY, hashOf(network), response);
    const { country_code, phone_number } = (request.body ?? {}) as Partial<PhoneNumber>;
    const named = { country_code, phone_number };
    if (checkEntry(PhoneNumber, named, '') !== undefined) return true;
    const policy = this.reflector.get<string>(POLICY, context.getHandler());
    const phone = internationalPhone(named as PhoneNumber);
    const { id, isKnown } = await this.networks.of(phone, network);
    await this.limits.enforce(policy, isKnown ? id : hashOf(phone), response);
    return true;
  }
}

/** Limits a login route per client address, and per phone number in its body by `policy`. */
export const LimitedLogin = (policy: string) =>
  applyDecorators(SetMetadata(POLICY, policy), UseGuards(LoginLimitGuard));
