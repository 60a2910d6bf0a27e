import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLOCK, ENVIRONMENT, RECORDS } from '#kernel/injection-tokens.js';
import { tooManyAttempts } from '#kernel/errors/api-error.js';
import type { Clock } from '#kernel/clock.js';
import type { CountedWindow } from '#eventsourcing/documents/counted-window.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { AddedHeaders } from '../added-headers.js';
import { TENANT_READ_POLICY } from '../route-options.js';
import { TrafficObserver } from '../traffic-observer.js';
import type { ApiError } from '#kernel/errors/api-error.js';
import {
  type AnswerHeaders,
  type Counter,
  RateLimiter,
  type RatePolicy,
  type RateState,
} from '#kernel/rate-limiter.js';
import type { Environment } from '#kernel/environment/environment.js';

/** A large body takes time to read, whatever becomes of it. */
const BY_SIZE = { windowSeconds: 60, bodyBytesPerPoint: 32 * 1024 } as const;

/** The policies that count per company. */
export function companyPolicies(environment: Environment): RatePolicy[] {
  return [
    { ...BY_SIZE, name: 'pms-write', limit: environment.rate_limit_pms_writes },
    { ...BY_SIZE, name: 'pms-read', limit: environment.rate_limit_reads },
    // Bulks are large, and few.
    { name: 'pms-bulk', limit: environment.rate_limit_pms_bulk, windowSeconds: 60 },
  ];
}

/** The policy that counts per operator, in all sessions together. */
export const OPERATOR_REQUESTS = 'operator-requests';

export function removeQuotaHeaders(headers: AddedHeaders): void {
  for (const name of ['RateLimit-Policy', 'RateLimit']) headers.remove(name);
}

/** Every rate limit of the service, by the name of its policy. Counts in the records, which all processes share. */
@Injectable()
export class RateLimits extends RateLimiter {
  readonly #policies = new Map<string, RatePolicy>();

  constructor(
    @Inject(ENVIRONMENT) environment: Environment,
    @Inject(RECORDS) private readonly records: Pick<DocumentStore, 'count'>,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'now'>,
    @Optional() private readonly observer?: TrafficObserver,
  ) {
    super();
    for (const policy of companyPolicies(environment)) this.define(policy);
    this.define({ ...BY_SIZE, name: OPERATOR_REQUESTS, limit: environment.rate_limit_operators });
    this.define({ name: TENANT_READ_POLICY, limit: environment.rate_limit_tenant_reads, windowSeconds: 60 });
  }

  override define(policy: RatePolicy): void {
    if (this.#policies.has(policy.name)) throw new Error(`The rate limit ${policy.name} is defined twice.`);
    this.#policies.set(policy.name, policy);
    this.observer?.limitDefined(policy.name);
  }

  override async consume(policy: string, key: string, points = 1): Promise<RateState> {
    return this.#stateOf(policy, await this.#add(policy, key, points), 0);
  }

  /** Reads the state without taking a point. @throws StoreUnavailableError */
  async peek(policy: string, key: string): Promise<RateState> {
    return this.#stateOf(policy, await this.#add(policy, key, 0), 1);
  }

  /** Forgets the key's points. @throws StoreUnavailableError */
  async reset(policy: string, key: string): Promise<void> {
    const { count } = await this.#add(policy, key, 0);
    if (count > 0) await this.#add(policy, key, -count);
  }

  /** Takes points and sets the headers of the quota. @throws ApiError 429 at the limit */
  async enforce(policy: string, key: string, headers?: AnswerHeaders, points = 1): Promise<void> {
    const state = await this.consume(policy, key, points);
    if (!state.allowed) throw this.refusal(policy, state);
    if (headers !== undefined) this.announce(policy, state, headers);
  }

  /** Takes the points of a body's size. @throws ApiError 429 at the limit */
  async enforceSize(policy: string, key: string, bytes: number, headers: AnswerHeaders): Promise<void> {
    const { bodyBytesPerPoint } = this.#policyOf(policy);
    const points = bodyBytesPerPoint === undefined ? 0 : Math.floor(bytes / bodyBytesPerPoint);
    if (points > 0) await this.enforce(policy, key, headers, points);
  }

  override async demand(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.peek(policy, key);
      if (!state.allowed) throw this.refusal(policy, state);
      if (headers !== undefined) this.announce(policy, state, headers);
    }
  }

  override async count(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void> {
    for (const [policy, key] of [...counters].reverse()) {
      const state = await this.consume(policy, key);
      if (headers !== undefined) this.announce(policy, state, headers);
    }
  }

  /** Sets `RateLimit-Policy` and `RateLimit` (IETF draft "RateLimit header fields for HTTP"). */
  announce(policy: string, state: RateState, headers: AnswerHeaders): void {
    headers.setHeader('RateLimit-Policy', announced(this.#policyOf(policy)));
    headers.setHeader('RateLimit', `"${policy}";r=${state.remaining};t=${state.resetSeconds}`);
  }

  override refusal(policy: string, { resetSeconds }: Pick<RateState, 'resetSeconds'>): ApiError {
    this.observer?.limited(policy);
    const limit = this.#policyOf(policy);
    const headers = {
      'RateLimit-Policy': announced(limit),
      RateLimit: `"${policy}";r=0;t=${resetSeconds}`,
    };
    return tooManyAttempts({ windowSeconds: limit.windowSeconds, retryAfterSeconds: resetSeconds }, headers);
  }

  #add(policy: string, key: string, points: number): Promise<CountedWindow> {
    return this.records.count(`${policy} ${key}`, points, this.#policyOf(policy).windowSeconds * 1_000);
  }

  /** @param spare points that must be left */
  #stateOf(policy: string, { count, ends_at }: CountedWindow, spare: number): RateState {
    const { limit } = this.#policyOf(policy);
    const resetSeconds = Math.max(1, Math.ceil((ends_at - this.clock.now()) / 1_000));
    return { allowed: count + spare <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds };
  }

  #policyOf(name: string): RatePolicy {
    const policy = this.#policies.get(name);
    if (policy === undefined) throw new Error(`There is no rate limit ${name}.`);
    return policy;
  }
}

function announced({ name, limit, windowSeconds }: RatePolicy): string {
  return `"${name}";q=${limit};w=${windowSeconds}`;
}
