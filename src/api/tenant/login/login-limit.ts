import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import type { Observable } from 'rxjs';
import { ClientAddresses } from '#web/client-address.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { contextOf } from '#web/request-context.js';
import { checkEntry } from '#web/validation/check.js';
import { hashOf } from '#kernel/credential-hash.js';
import { phoneIn, PhoneNumber } from '../phone-number.dto.js';
import { LoginNetworks, SOURCE_POLICY } from '#domain/tenants/index.js';

const POLICY = Symbol('LoginLimit');

/**
 * Counts a request against the limit of the client's address, then of the phone number that it names (specification §8).
 * Counts before anything else is checked, whatever the outcome. A known network of the phone has its own count
 * (decisions §5). Keys are hashes, because the counts may be in a shared store.
 */
@Injectable()
export class LoginLimit implements NestInterceptor {
  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: ClientAddresses,
    private readonly networks: LoginNetworks,
    private readonly reflector: Reflector,
  ) {}

  async intercept(execution: ExecutionContext, handler: CallHandler): Promise<Observable<unknown>> {
    const policy = this.reflector.get<string>(POLICY, execution.getHandler());
    await this.#count(execution.switchToHttp().getRequest<Request>(), policy);
    return handler.handle() as Observable<unknown>;
  }

  async #count(request: Request, policy: string): Promise<void> {
    const { headers } = contextOf(request)!;
    // The address comes first: a client over this limit does not use up the limits of other people's numbers.
    const network = this.addresses.networkOf(request);
    await this.limits.enforce(SOURCE_POLICY, hashOf(network), headers);
    const { country_code, phone_number } = (request.body ?? {}) as Partial<PhoneNumber>;
    const named = { country_code, phone_number };
    if (checkEntry(PhoneNumber, named, '') !== undefined) return;
    const phone = phoneIn(named as PhoneNumber);
    const { id, isKnown } = await this.networks.findNetwork(phone, network);
    await this.limits.enforce(policy, isKnown ? id : hashOf(phone), headers);
  }
}

/** Limits a login route per client address, and per phone number in its body by `policy`. */
export const LimitedLogin = (policy: string) =>
  applyDecorators(SetMetadata(POLICY, policy), UseInterceptors(LoginLimit));
