import { Injectable } from '@nestjs/common';
import { hashOf } from '#kernel/credential-hash.js';
import { type AnswerHeaders, type Counter, RateLimiter } from '#kernel/rate-limiter.js';
import { emailKey } from './operators.js';

/** Failed logins per e-mail, or per known device (decisions §6). */
const LOGIN_POLICY = { name: 'operator-login', limit: 5, windowSeconds: 60 } as const;
/** Failed logins per client address, for all e-mails together. */
const LOGIN_SOURCE_POLICY = { name: 'operator-login-source', limit: 20, windowSeconds: 60 } as const;

/** Right passwords, per operator. More hold up other operators, because each costs a hash. */
const SIGN_IN_POLICY = { name: 'operator-sign-in', limit: 30, windowSeconds: 60 } as const;

/** Wrong codes of a second factor, per operator or per known device. */
const CODE_POLICY = { name: 'operator-code', limit: 5, windowSeconds: 60 } as const;
const CODE_DAY_POLICY = { name: 'operator-code-day', limit: 20, windowSeconds: 86_400 } as const;

/** Wrong links of invitations, per client address. */
const INVITATION_POLICY = { name: 'operator-invitation', limit: 20, windowSeconds: 60 } as const;

/** Counts logins of operators, mostly failed ones. Every asynchronous method throws StoreUnavailableError. */
@Injectable()
export class SignInLimits {
  constructor(private readonly limits: RateLimiter) {
    limits.define(LOGIN_POLICY);
    limits.define(LOGIN_SOURCE_POLICY);
    limits.define(SIGN_IN_POLICY);
    limits.define(CODE_POLICY);
    limits.define(CODE_DAY_POLICY);
    limits.define(INVITATION_POLICY);
  }

  /** The counters for an unknown device: per e-mail and per address. */
  countersOfStranger(email: string, network: string): Counter[] {
    return [
      [LOGIN_POLICY.name, hashOf(emailKey(email))],
      [LOGIN_SOURCE_POLICY.name, hashOf(network)],
    ];
  }

  /** The counter for one device or operator. Failures elsewhere do not count. */
  countersOfOne(id: string): Counter[] {
    return [[LOGIN_POLICY.name, hashOf(id)]];
  }

  /** The counter for right passwords. Nobody else can use it up. */
  counterOfSignIns(operator_id: string): Counter {
    return [SIGN_IN_POLICY.name, hashOf(operator_id)];
  }

  /** The counters for wrong codes. @param who a device or an operator */
  countersOfCodes(who: string): Counter[] {
    return [CODE_POLICY, CODE_DAY_POLICY].map(({ name }) => [name, hashOf(who)]);
  }

  /** The counter for links of invitations that do not work. */
  countersOfInvitations(network: string): Counter[] {
    return [[INVITATION_POLICY.name, hashOf(network)]];
  }

  /** @throws ApiError 429 if a counter is used up */
  demand(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void> {
    return this.limits.demand(counters, headers);
  }

  countFailure(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void> {
    return this.limits.count(counters, headers);
  }
}
