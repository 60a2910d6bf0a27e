import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { hashOf, RateLimits } from '../http/index.js';
import { SOURCE_POLICY } from './login-limit.guard.js';

/** Limits of specification §8, per phone number. */
export const REQUESTS = { name: 'otp-request', limit: 5, windowSeconds: 60 };
export const ATTEMPTS = { name: 'otp-verify', limit: 5, windowSeconds: 60 };

const DAY_SECONDS = 24 * 60 * 60;
/** What a phone number may have in a day (decisions §5). */
const CODES = { name: 'otp-codes-a-day', limit: 20, windowSeconds: DAY_SECONDS };
const WRONG_TRIES = { name: 'otp-wrong-a-day', limit: 25, windowSeconds: DAY_SECONDS };

/** What a login counts beyond requests: codes that were made and tries that were wrong, per phone number and day. */
@Injectable()
export class LoginLimits {
  constructor(
    private readonly limits: RateLimits,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'rate_limit_auth_source'>,
  ) {
    const source = { name: SOURCE_POLICY, limit: environment.rate_limit_auth_source, windowSeconds: 60 };
    for (const policy of [REQUESTS, ATTEMPTS, CODES, WRONG_TRIES, source]) limits.define(policy);
  }

  /** @throws ApiError 429 where the phone has had a day's codes */
  demandCode(phone: string): Promise<void> {
    return this.#demand(CODES.name, phone);
  }

  async countCode(phone: string): Promise<void> {
    await this.limits.consume(CODES.name, hashOf(phone));
  }

  /** @throws ApiError 429 where the phone has had a day's wrong tries */
  demandTry(phone: string): Promise<void> {
    return this.#demand(WRONG_TRIES.name, phone);
  }

  async countWrongTry(phone: string): Promise<void> {
    await this.limits.consume(WRONG_TRIES.name, hashOf(phone));
  }

  async #demand(policy: string, phone: string): Promise<void> {
    const state = await this.limits.peek(policy, hashOf(phone));
    if (!state.allowed) throw this.limits.refusal(policy, state);
  }
}
