import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddresses } from '../http/client-address.js';
import { hashOf } from '../config/ids.js';
import { type Counter, RateLimits } from '../http/pipeline/rate-limits.js';
import { emailKey } from './operators.js';

/** Failed logins per e-mail, or of a device that has signed in before (decisions §6). */
const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;
/** Failed logins per client address, whatever the e-mails. */
const LOGIN_SOURCE_POLICY = { name: 'operator-login-source', limit: 20, windowSeconds: 60 } as const;

/** Wrong codes of a second factor: of an operator, or of a device that has signed in before. */
const CODE_POLICY = { name: 'operator-code', limit: 5, windowSeconds: 60 } as const;
const CODE_DAY_POLICY = { name: 'operator-code-day', limit: 20, windowSeconds: 86_400 } as const;

/** Counts failed logins of operators. @throws StoreUnavailableError from every method that waits */
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

  /** The limits of somebody unknown: per e-mail and per address. */
  ofStranger(email: string, request: Request): Counter[] {
    return [
      [LOGIN_POLICY.name, hashOf(emailKey(email))],
      [LOGIN_SOURCE_POLICY.name, hashOf(this.addresses.networkOf(request))],
    ];
  }

  /** The limits of one device or session. Failures of others do not count against it. */
  ofOne(id: string): Counter[] {
    return [[LOGIN_POLICY.name, hashOf(id)]];
  }

  /** The limits of codes, per owner. */
  ofCodes(who: string): Counter[] {
    return [CODE_POLICY, CODE_DAY_POLICY].map(({ name }) => [name, hashOf(who)]);
  }

  /** @throws ApiError 429 where nothing is left */
  demand(counters: readonly Counter[], response?: Response): Promise<void> {
    return this.limits.demand(counters, response);
  }

  failed(counters: readonly Counter[], response?: Response): Promise<void> {
    return this.limits.count(counters, response);
  }
}
