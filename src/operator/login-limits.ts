import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ClientAddresses } from '../http/client-address.js';
import { hashOf } from '../http/credential-hash.js';
import { RateLimits } from '../http/rate-limits.js';
import { emailKey } from './operators.js';

/** Failed logins per e-mail, or of a device that has signed in before (decisions §6). */
export const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;
/** Failed logins per client address, whatever the e-mails. */
export const LOGIN_SOURCE_POLICY = { name: 'operator-login-source', limit: 20, windowSeconds: 60 } as const;

/** What a failure is counted by: the name of a policy and a key. */
export type LoginCounter = readonly [policy: string, key: string];

/** Counts failed logins. @throws StoreUnavailableError from every method that waits */
@Injectable()
export class LoginLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly addresses: ClientAddresses,
  ) {
    limits.define(LOGIN_POLICY);
    limits.define(LOGIN_SOURCE_POLICY);
  }

  /** Those of somebody who is not known: of the e-mail and of the address. */
  ofStranger(email: string, request: Request): LoginCounter[] {
    return [
      [LOGIN_POLICY.name, hashOf(emailKey(email))],
      [LOGIN_SOURCE_POLICY.name, hashOf(this.addresses.networkOf(request))],
    ];
  }

  /** Those of one device, session or the like, which nobody else's failures count against. */
  ofOne(id: string): LoginCounter[] {
    return [[LOGIN_POLICY.name, hashOf(id)]];
  }

  /** Tells the client what is left. @throws ApiError 429 where nothing is. */
  async demand(counters: readonly LoginCounter[], response?: Response): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.limits.peek(policy, key);
      if (response !== undefined) this.limits.announce(policy, state, response);
      if (!state.allowed) throw this.limits.refusal(policy, state);
    }
  }

  async failed(counters: readonly LoginCounter[], response?: Response): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.limits.consume(policy, key);
      if (response !== undefined) this.limits.announce(policy, state, response);
    }
  }
}
