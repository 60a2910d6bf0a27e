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
import { checkEntry, hashOf, RateLimits } from '../http/index.js';
import { internationalPhone, PhoneNumber } from './auth.dto.js';

const POLICY = Symbol('PhoneLimit');

/**
 * Takes a point from the phone number that a request names, before anything else of the request is judged: the limits
 * of specification §8 count per phone number, whatever the outcome.
 */
@Injectable()
export class PhoneLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { country_code, phone_number } = (http.getRequest<Request>().body ?? {}) as Partial<PhoneNumber>;
    const named = { country_code, phone_number };
    if (checkEntry(PhoneNumber, named, '') !== undefined) return true;
    const policy = this.reflector.get<string>(POLICY, context.getHandler());
    await this.limits.enforce(
      policy,
      hashOf(internationalPhone(named as PhoneNumber)),
      http.getResponse<Response>(),
    );
    return true;
  }
}

/** Limits a route per phone number in its body, of which a hash is counted. */
export const LimitedPerPhone = (policy: string) =>
  applyDecorators(SetMetadata(POLICY, policy), UseGuards(PhoneLimitGuard));
