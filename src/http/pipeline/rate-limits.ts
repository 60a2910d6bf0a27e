import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLOCK, ENVIRONMENT, RECORDS } from '../../config/injection-tokens.js';
import { tooManyAttempts } from '../api-error.js';
import type { Clock } from '../../config/clock.js';
import type { CountedWindow } from '../../documents/counted-window.js';
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

/** Every rate limit of the service, by the name of its policy. Counts in the records, which all processes share. */
@Injectable()
export class RateLimits {
  private readonly policies = new Map<string, RatePolicy>();

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    @Inject(RECORDS) private readonly records: Pick<DocumentStore, 'count'>,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'now'>,
    @Optional() @Inject(TRAFFIC_OBSERVER) private readonly observer?: TrafficObserver,
  ) {
    for (const policy of companyPolicies(environment)) this.define(policy);
  }

  /** Adds a policy of a feature, at start. @throws Error for a name that exists */
  define(policy: RatePolicy): void {
    if (this.policies.has(policy.name)) throw new Error(`The rate limit ${policy.name} is defined twice.`);
    this.policies.set(policy.name, policy);
  }

  /** Takes points, one by default. Does not throw at the limit: check `allowed`. @throws StoreUnavailableError */
  async consume(policy: string, key: string, points = 1): Promise<RateState> {
    return this.stateOf(policy, await this.add(policy, key, points), 0);
  }

  /** Reads the state without taking a point. @throws StoreUnavailableError */
  async peek(policy: string, key: string): Promise<RateState> {
    return this.stateOf(policy, await this.add(policy, key, 0), 1);
  }

  /** Forgets the key's points. @throws StoreUnavailableError */
  async reset(policy: string, key: string): Promise<void> {
    const { count } = await this.add(policy, key, 0);
    if (count > 0) await this.add(policy, key, -count);
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
    response.setHeader('RateLimit-Policy', announced(this.policyOf(policy)));
    response.setHeader('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
  }

  /** Makes the 429 for the caller to throw, and counts it in the metrics. */
  refusal(policy: string, state: RateState): ApiError {
    this.observer?.limited(policy);
    const limit = this.policyOf(policy);
    const headers = {
      'RateLimit-Policy': announced(limit),
      RateLimit: `"${policy}";r=0;t=${state.resetSeconds}`,
    };
    return tooManyAttempts(
      { windowSeconds: limit.windowSeconds, retryAfterSeconds: state.resetSeconds },
      headers,
    );
  }

  private add(policy: string, key: string, points: number): Promise<CountedWindow> {
    return this.records.count(`${policy} ${key}`, points, this.policyOf(policy).windowSeconds * 1_000);
  }

  /** @param spare points that must be left */
  private stateOf(policy: string, { count, ends_at }: CountedWindow, spare: number): RateState {
    const { limit } = this.policyOf(policy);
    const resetSeconds = Math.max(1, Math.ceil((ends_at - this.clock.now()) / 1_000));
    return { allowed: count + spare <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
  }

  private policyOf(name: string): RatePolicy {
    const policy = this.policies.get(name);
    if (policy === undefined) throw new Error(`There is no rate limit ${name}.`);
    return policy;
  }
}

function announced({ name, limit, windowSeconds }: RatePolicy): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}
