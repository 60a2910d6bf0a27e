import { Inject, Injectable, Optional } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/injection-tokens.js';
import { tooManyAttempts } from '../api-error.js';
import { type Clock, systemClock } from '../../config/clock.js';
import { MemoryCounters } from '../../documents/counted-window.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { TRAFFIC_OBSERVER, type TrafficObserver } from '../traffic-observer.js';
import type { ApiError } from '../api-error.js';
import type { Environment } from '../../config/environment.js';
import type { Response } from 'express';

export interface RatePolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1 while one is open. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Takes points, one by default. A refused attempt costs nothing in the next window. @throws StoreUnavailableError */
  consume(key: string, points?: number): Promise<RateState>;
  /** Reads the state without taking a point. @throws StoreUnavailableError */
  peek(key: string): Promise<RateState>;
  /** Forgets the key's points. @throws StoreUnavailableError */
  reset(key: string): Promise<void>;
}

export type RateLimiterFactory = (policy: RatePolicy) => RateLimiter;

/** Injection token of a `RateLimiterFactory`. Default: counters in memory. */
export const RATE_LIMITER_FACTORY = Symbol('RateLimiterFactory');

/** Counts in a store, so that processes with the same store share the quotas. */
export function rateLimitersOn(
  store: Pick<DocumentStore, 'count'>,
  clock: Pick<Clock, 'now'>,
): RateLimiterFactory {
  return ({ name, limit, windowSeconds }) => {
    const count = async (key: string, by: number, spare: number) => {
      const { count, ends_at } = await store.count(`${name} ${key}`, by, windowSeconds * 1_000);
      const resetSeconds = Math.max(1, Math.ceil((ends_at - clock.now()) / 1_000));
      return { allowed: count + spare <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
    };
    return {
      consume: (key, points = 1) => count(key, points, 0),
      peek: (key) => count(key, 0, 1),
      reset: async (key) => {
        const { count } = await store.count(`${name} ${key}`, 0, windowSeconds * 1_000);
        if (count > 0) await store.count(`${name} ${key}`, -count, windowSeconds * 1_000);
      },
    };
  };
}

/** The policies that count per company. */
export function companyPolicies(environment: Environment): RatePolicy[] {
  return [
    { name: 'pms-write', limit: environment.rate_limit_pms_writes, windowSeconds: 60 },
    { name: 'pms-read', limit: environment.rate_limit_reads, windowSeconds: 60 },
    { name: 'pms-bulk', limit: environment.rate_limit_pms_bulk, windowSeconds: 60 },
  ];
}

export type Counter = readonly [policy: string, key: string];

export function removeQuotaHeaders(response: Response): void {
  for (const name of ['RateLimit-Policy', 'RateLimit']) response.removeHeader(name);
}

/** Every rate limit of the service, by the name of its policy. */
@Injectable()
export class RateLimits {
  private readonly limits = new Map<
    string,
    { policy: RatePolicy; limiter: RateLimiter; announced: string }
  >();
  private readonly factory: RateLimiterFactory;

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    @Optional() @Inject(RATE_LIMITER_FACTORY) factory?: RateLimiterFactory,
    @Optional() @Inject(TRAFFIC_OBSERVER) private readonly observer?: TrafficObserver,
  ) {
    this.factory = factory ?? rateLimitersOn(new MemoryCounters(systemClock), systemClock);
    for (const policy of companyPolicies(environment)) this.define(policy);
  }

  /** Adds a policy of a feature, at start. @throws Error for a name that exists */
  define(policy: RatePolicy): void {
    if (this.limits.has(policy.name)) throw new Error(`The rate limit ${policy.name} is defined twice.`);
    const announced = `"${policy.name}";q=${policy.limit};w=${policy.windowSeconds}`;
    this.limits.set(policy.name, { policy, limiter: this.factory(policy), announced });
  }

  /** Takes points, one by default. Does not throw at the limit: check `allowed`. */
  consume(policy: string, key: string, points = 1): Promise<RateState> {
    return this.limitOf(policy).limiter.consume(key, points);
  }

  /** Reads the state without taking a point. */
  peek(policy: string, key: string): Promise<RateState> {
    return this.limitOf(policy).limiter.peek(key);
  }

  /** Forgets the key's points. */
  reset(policy: string, key: string): Promise<void> {
    return this.limitOf(policy).limiter.reset(key);
  }

  /** Takes points and sets the headers of the quota. @throws ApiError 429 at the limit */
  async enforce(policy: string, key: string, response?: Response, points = 1): Promise<void> {
    const state = await this.consume(policy, key, points);
    if (!state.allowed) throw this.refusal(policy, state);
    if (response !== undefined) this.announce(policy, state, response);
  }

  /**
   * For attempts that count only if they fail. Takes no points. The headers show the first counter, or the counter that is
   * used up.
   * @throws ApiError 429 if one of the counters is used up
   */
  async demand(counters: readonly Counter[], response?: Response): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.peek(policy, key);
      if (!state.allowed) throw this.refusal(policy, state);
      if (response !== undefined) this.announce(policy, state, response);
    }
  }

  /** Takes one point from each counter. */
  async count(counters: readonly Counter[], response?: Response): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.consume(policy, key);
      if (response !== undefined) this.announce(policy, state, response);
    }
  }

  /** Sets `RateLimit-Policy` and `RateLimit` (IETF draft "RateLimit header fields for HTTP"). */
  announce(policy: string, state: RateState, response: Response): void {
    response.setHeader('RateLimit-Policy', this.limitOf(policy).announced);
    response.setHeader('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
  }

  /** Makes the 429 for the caller to throw, and counts it in the metrics. */
  refusal(policy: string, state: RateState): ApiError {
    this.observer?.limited(policy);
    const { announced, policy: limit } = this.limitOf(policy);
    const headers = { 'RateLimit-Policy': announced, RateLimit: `"${policy}";r=0;t=${state.resetSeconds}` };
    return tooManyAttempts(
      { windowSeconds: limit.windowSeconds, retryAfterSeconds: state.resetSeconds },
      headers,
    );
  }

  private limitOf(policy: string) {
    const limit = this.limits.get(policy);
    if (limit === undefined) throw new Error(`There is no rate limit ${policy}.`);
    return limit;
  }
}
