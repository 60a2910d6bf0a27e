import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { type Counter, RateLimits } from '../http/pipeline/rate-limits.js';
import { hashOf } from '../config/ids.js';
import { type LoginNetwork, LoginNetworks } from './login-networks.js';
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

export interface LoginCaller {
  /** @see ClientAddresses.networkOf */
  readonly network: string;
}

/** Limits of codes and of wrong tries, per phone number and day. */
@Injectable()
export class OtpLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly networks: LoginNetworks,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'rate_limit_auth_source'>,
  ) {
    const source = { name: SOURCE_POLICY, limit: environment.rate_limit_auth_source, windowSeconds: 60 };
    const ofDay = [CODES, CODES_OF_PHONE, WRONG_TRIES, WRONG_TRIES_OF_PHONE];
    for (const policy of [REQUESTS, ATTEMPTS, COOLDOWN, ...ofDay, source]) limits.define(policy);
  }

  /** @throws ApiError 429 if the day's codes are used up */
  async demandCode(phone: string, caller: LoginCaller): Promise<void> {
    await this.limits.demand(await this.#counters(phone, caller, CODES.name, CODES_OF_PHONE.name));
  }

  async countCode(phone: string, caller: LoginCaller): Promise<void> {
    await this.limits.count(await this.#counters(phone, caller, CODES.name, CODES_OF_PHONE.name));
  }

  /** @throws ApiError 429 if the day's wrong tries are used up */
  async demandTry(phone: string, caller: LoginCaller): Promise<void> {
    const counters = await this.#counters(phone, caller, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name);
    await this.limits.demand(counters);
  }

  async countWrongTry(phone: string, caller: LoginCaller): Promise<void> {
    const counters = await this.#counters(phone, caller, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name);
    await this.limits.count(counters);
  }

  /**
   * The error 429 for a request within the cooldown.
   * @param wait milliseconds
   */
  tooSoon(wait: number): Error {
    const resetSeconds = Math.max(1, Math.ceil(wait / 1_000));
    const state = { allowed: false, limit: COOLDOWN.limit, remaining: 0, resetSeconds };
    return this.limits.refusal(COOLDOWN.name, state);
  }

  networkOf(phone: string, { network }: LoginCaller): Promise<LoginNetwork> {
    return this.networks.of(phone, network);
  }

  /** @throws StoreUnavailableError */
  rememberNetwork(phone: string, { network }: LoginCaller): Promise<void> {
    return this.networks.remember(phone, network);
  }

  /** A known network has its own counter only. An unknown one also counts for all unknown networks. */
  async #counters(
    phone: string,
    { network }: LoginCaller,
    ofNetwork: string,
    ofPhone: string,
  ): Promise<Counter[]> {
    const { id, isKnown } = await this.networks.of(phone, network);
    const own: Counter = [ofNetwork, id];
    return isKnown ? [own] : [own, [ofPhone, hashOf(phone)]];
  }
}
