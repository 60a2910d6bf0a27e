import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '#kernel/environment/environment.js';
import { ENVIRONMENT } from '#kernel/injection-tokens.js';
import { type Counter, RateLimiter } from '#kernel/rate-limiter.js';
import { hashOf } from '#kernel/credential-hash.js';
import type { LoginNetwork } from './login-networks.js';
import { COOLDOWN_SECONDS } from './otp-codes.js';

/** Limits of specification §8, per phone number. */
export const REQUESTS = { name: 'otp-request', limit: 5, windowSeconds: 60 };
export const ATTEMPTS = { name: 'otp-verify', limit: 5, windowSeconds: 60 };
/** Only for the answer: `OtpCodes` itself enforces the cooldown. */
const COOLDOWN = { name: 'otp-cooldown', limit: 1, windowSeconds: COOLDOWN_SECONDS };
/** Limit of requests per client address, over all login routes (decisions §5). */
export const SOURCE_POLICY = 'auth-source';

const DAY_SECONDS = 24 * 60 * 60;
/** Limits for one network of a phone (decisions §5). */
const CODES = { name: 'otp-codes-a-day', limit: 20, windowSeconds: DAY_SECONDS };
const WRONG_TRIES = { name: 'otp-wrong-a-day', limit: 25, windowSeconds: DAY_SECONDS };
/** Limits for all unknown networks of a phone together, above those of one network. */
const CODES_OF_PHONE = { name: 'otp-codes-of-phone-a-day', limit: 25, windowSeconds: DAY_SECONDS };
const WRONG_TRIES_OF_PHONE = { name: 'otp-wrong-of-phone-a-day', limit: 35, windowSeconds: DAY_SECONDS };

/** Limits of codes and of wrong tries, per phone number and day. */
@Injectable()
export class OtpLimits {
  constructor(
    private readonly limits: RateLimiter,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'rate_limit_auth_source'>,
  ) {
    const source = { name: SOURCE_POLICY, limit: environment.rate_limit_auth_source, windowSeconds: 60 };
    const ofDay = [CODES, CODES_OF_PHONE, WRONG_TRIES, WRONG_TRIES_OF_PHONE];
    for (const policy of [REQUESTS, ATTEMPTS, COOLDOWN, ...ofDay, source]) limits.define(policy);
  }

  /** @throws ApiError 429 if the day's codes are used up */
  assertCode(from: LoginNetwork): Promise<void> {
    return this.limits.demand(counters(from, CODES.name, CODES_OF_PHONE.name));
  }

  countCode(from: LoginNetwork): Promise<void> {
    return this.limits.count(counters(from, CODES.name, CODES_OF_PHONE.name));
  }

  /** @throws ApiError 429 if the day's wrong tries are used up */
  assertTry(from: LoginNetwork): Promise<void> {
    return this.limits.demand(counters(from, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name));
  }

  countWrongTry(from: LoginNetwork): Promise<void> {
    return this.limits.count(counters(from, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name));
  }

  /**
   * The error 429 for a request within the cooldown.
   * @param wait milliseconds
   */
  tooSoon(wait: number): Error {
    return this.limits.refusal(COOLDOWN.name, { resetSeconds: Math.max(1, Math.ceil(wait / 1_000)) });
  }
}

/** A known network has its own counter only. An unknown one also counts for all unknown networks. */
function counters({ phone, id, isKnown }: LoginNetwork, ofNetwork: string, ofPhone: string): Counter[] {
  const own: Counter = [ofNetwork, id];
  return isKnown ? [own] : [own, [ofPhone, hashOf(phone)]];
}
