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
import { LoginPlaces } from './login-places.js';
import { SOURCE_POLICY } from './otp-limits.js';

const POLICY = Symbol('LoginLimit');

/**
 * Takes a point from the client's address, then from the phone number that a request names, before anything else of the
 * request is judged: the limits of specification §8 count per phone number, whatever the outcome. A known place of the phone
 * counts apart (decisions §5). The keys are hashes: the counts may be in a shared store.
 */
@Injectable()
export class LoginLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: ClientAddresses,
    private readonly places: LoginPlaces,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    // First, so that whoever is over it takes no points from other people's numbers.
    const network = this.addresses.networkOf(request);
    await this.limits.enforce(SOURCE_POLICY, hashOf(network), response);
    const { country_code, phone_number } = (request.body ?? {}) as Partial<PhoneNumber>;
    const named = { country_code, phone_number };
    if (checkEntry(PhoneNumber, named, '') !== undefined) return true;
    const policy = this.reflector.get<string>(POLICY, context.getHandler());
    const phone = internationalPhone(named as PhoneNumber);
    const { id, isKnown } = await this.places.of(phone, network);
    await this.limits.enforce(policy, isKnown ? id : hashOf(phone), response);
    return true;
  }
}

/** Limits a route of a login per client address, and by `policy` per phone number in its body. */
export const LimitedLogin = (policy: string) =>
  applyDecorators(SetMetadata(POLICY, policy), UseGuards(LoginLimitGuard));
