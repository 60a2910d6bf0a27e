import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddresses } from '../http/client-address.js';
import { hashOf } from '../config/ids.js';
import { type Counter, RateLimits } from '../http/pipeline/rate-limits.js';
import { emailKey } from './operators.js';

/** Failed logins per e-mail, or per known device (decisions §6). */
const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;
/** Failed logins per client address, for all e-mails together. */
const LOGIN_SOURCE_POLICY = { name: 'operator-login-source', limit: 20, windowSeconds: 60 } as const;

/** Wrong codes of a second factor, per operator or per known device. */
const CODE_POLICY = { name: 'operator-code', limit: 5, windowSeconds: 60 } as const;
const CODE_DAY_POLICY = { name: 'operator-code-day', limit: 20, windowSeconds: 86_400 } as const;

/** Counts failed logins of operators. Every asynchronous method throws StoreUnavailableError. */
@Injectable()
export class SignInLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: ClientAddresses,
  ) {
    limits.define(LOGIN_POLICY);
    limits.define(LOGIN_SOURCE_POLICY);
    limits.define(CODE_POLICY);
    limits.define(CODE_DAY_POLICY);
  }

  /** The counters for an unknown device: per e-mail and per address. */
  ofStranger(email: string, request: Request): Counter[] {
    return [
      [LOGIN_POLICY.name, hashOf(emailKey(email))],
      [LOGIN_SOURCE_POLICY.name, hashOf(this.addresses.networkOf(request))],
    ];
  }

  /** The counter for one device or operator. Failures elsewhere do not count. */
  ofOne(id: string): Counter[] {
    return [[LOGIN_POLICY.name, hashOf(id)]];
  }

  /** The counters for wrong codes. @param who a device or an operator */
  ofCodes(who: string): Counter[] {
    return [CODE_POLICY, CODE_DAY_POLICY].map(({ name }) => [name, hashOf(who)]);
  }

  /** @throws ApiError 429 if a counter is used up */
  demand(counters: readonly Counter[], response?: Response): Promise<void> {
    return this.limits.demand(counters, response);
  }

  failed(counters: readonly Counter[], response?: Response): Promise<void> {
    return this.limits.count(counters, response);
  }
}
