import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/injection-tokens.js';
import { type Counter, RateLimits } from '../http/pipeline/rate-limits.js';
import { hashOf } from '../config/ids.js';
import { type LoginPlace, LoginPlaces } from './login-places.js';
import { COOLDOWN_SECONDS } from './otp-codes.js';

/** Limits of specification §8, per phone number. */
export const REQUESTS = { name: 'otp-request', limit: 5, windowSeconds: 60 };
export const ATTEMPTS = { name: 'otp-verify', limit: 5, windowSeconds: 60 };
/** One code of a place; `OtpCodes` itself knows when the last one was made. */
const COOLDOWN = { name: 'otp-cooldown', limit: 1, windowSeconds: COOLDOWN_SECONDS };
/** The policy that counts requests of a login per client address, over all its routes (decisions §5). */
export const SOURCE_POLICY = 'auth-source';

const DAY_SECONDS = 24 * 60 * 60;
/** The share of a phone number's day that one place may use (decisions §5). */
const CODES = { name: 'otp-codes-a-day', limit: 20, windowSeconds: DAY_SECONDS };
const WRONG_TRIES = { name: 'otp-wrong-a-day', limit: 25, windowSeconds: DAY_SECONDS };
/** The same of all places together from which the phone never logged in: a little is left where one of them has used up its own. */
const CODES_OF_PHONE = { name: 'otp-codes-of-phone-a-day', limit: 25, windowSeconds: DAY_SECONDS };
const WRONG_TRIES_OF_PHONE = { name: 'otp-wrong-of-phone-a-day', limit: 35, windowSeconds: DAY_SECONDS };

/** The person at the other end of a login. */
export interface LoginCaller {
  /** The client's network, as limits count it. */
  readonly network: string;
}

/** The counts of a login beyond requests: codes made and wrong tries, per phone number and day. */
@Injectable()
export class OtpLimits {
  constructor(
    private readonly limits: RateLimits,
    private readonly places: LoginPlaces,
    @Inject(ENVIRONMENT) environment: Pick<Environment, 'rate_limit_auth_source'>,
  ) {
    const source = { name: SOURCE_POLICY, limit: environment.rate_limit_auth_source, windowSeconds: 60 };
    const ofDay = [CODES, CODES_OF_PHONE, WRONG_TRIES, WRONG_TRIES_OF_PHONE];
    for (const policy of [REQUESTS, ATTEMPTS, COOLDOWN, ...ofDay, source]) limits.define(policy);
  }

  /** @throws ApiError 429 where the phone has had a day's codes */
  async demandCode(phone: string, caller: LoginCaller): Promise<void> {
    await this.limits.demand(await this.#counters(phone, caller, CODES.name, CODES_OF_PHONE.name));
  }

  async countCode(phone: string, caller: LoginCaller): Promise<void> {
    await this.limits.count(await this.#counters(phone, caller, CODES.name, CODES_OF_PHONE.name));
  }

  /** @throws ApiError 429 where the phone has had a day's wrong tries */
  async demandTry(phone: string, caller: LoginCaller): Promise<void> {
    const counters = await this.#counters(phone, caller, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name);
    await this.limits.demand(counters);
  }

  async countWrongTry(phone: string, caller: LoginCaller): Promise<void> {
    const counters = await this.#counters(phone, caller, WRONG_TRIES.name, WRONG_TRIES_OF_PHONE.name);
    await this.limits.count(counters);
  }

  /**
   * The 429 of a code that is asked for too soon after the one before, to be thrown.
   * @param wait in milliseconds
   */
  tooSoon(wait: number): Error {
    const resetSeconds = Math.max(1, Math.ceil(wait / 1_000));
    const state = { allowed: false, limit: COOLDOWN.limit, remaining: 0, resetSeconds };
    return this.limits.refusal(COOLDOWN.name, state);
  }

  placeOf(phone: string, { network }: LoginCaller): Promise<LoginPlace> {
    return this.places.of(phone, network);
  }

  /** The phone has logged in from there. @throws StoreUnavailableError */
  loggedIn(phone: string, { network }: LoginCaller): Promise<void> {
    return this.places.remember(phone, network);
  }

  /** From where the phone has logged in before, its owner is counted alone. */
  async #counters(
    phone: string,
    { network }: LoginCaller,
    ofPlace: string,
    ofPhone: string,
  ): Promise<Counter[]> {
    const { id, isKnown } = await this.places.of(phone, network);
    const here: Counter = [ofPlace, id];
    return isKnown ? [here] : [here, [ofPhone, hashOf(phone)]];
  }
}
