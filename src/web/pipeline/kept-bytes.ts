import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK } from '#kernel/injection-tokens.js';
import type { RatePolicy } from '#kernel/rate-limiter.js';
import { ownerOfRecord } from './request-key.js';
import { RateLimits } from './rate-limits.js';

const MEGABYTE = 1024 * 1024;
const DAY_SECONDS = 86_400;

/** Bytes of answers that are kept for retries (decisions §4). */
const COMPANY_POLICY = { name: 'kept-answers', limit: 64 * MEGABYTE, windowSeconds: DAY_SECONDS } as const;
const OPERATOR_POLICY = {
  name: 'operator-kept-answers',
  limit: 8 * MEGABYTE,
  windowSeconds: DAY_SECONDS,
} as const;
const TENANT_POLICY = { name: 'tenant-kept-answers', limit: MEGABYTE, windowSeconds: DAY_SECONDS } as const;
/** Bytes of answers that are sent again. A replay takes no point, but a large one takes time. */
const REPLAY_POLICY = { name: 'replayed-answers', limit: 16 * MEGABYTE, windowSeconds: 60 } as const;

/** What a record takes beside the body of its answer. */
const RECORD_BYTES = 512;
/** Bytes of one owner that are counted together, so that a keyed request costs no write more. */
const COUNTED_TOGETHER = 128 * 1024;

/** Bounds the bytes of kept answers of each owner: a company, an operator or a tenant. */
@Injectable()
export class KeptBytes {
  readonly #uncounted = new Map<string, number>();
  /** When the days of owners end who have used up their bytes (milliseconds). */
  readonly #full = new Map<string, number>();

  constructor(
    private readonly limits: RateLimits,
    @Inject(CLOCK) private readonly clock: Pick<Clock, 'now'>,
  ) {
    for (const policy of [COMPANY_POLICY, OPERATOR_POLICY, TENANT_POLICY, REPLAY_POLICY])
      limits.define(policy);
  }

  /** Before a new key is claimed. @throws ApiError 429 */
  assertRoom(record_id: string): void {
    const owner = ownerOfRecord(record_id);
    const until = this.#full.get(owner);
    if (until === undefined) return;
    const left = until - this.clock.now();
    if (left <= 0) {
      this.#full.delete(owner);
      return;
    }
    throw this.limits.refusal(policyOf(owner).name, { resetSeconds: Math.ceil(left / 1_000) });
  }

  /** Counts an answer that is kept. It is kept whole, also beyond the bound: only new keys are refused then. Never rejects. */
  async add(record_id: string, bytes: number): Promise<void> {
    const owner = ownerOfRecord(record_id);
    const uncounted = (this.#uncounted.get(owner) ?? 0) + bytes + RECORD_BYTES;
    this.#uncounted.set(owner, uncounted);
    if (uncounted < COUNTED_TOGETHER) return;
    this.#uncounted.delete(owner);
    try {
      await this.#count(owner, uncounted);
    } catch {
      // The store is away. The next answers count these bytes too.
      this.#uncounted.set(owner, (this.#uncounted.get(owner) ?? 0) + uncounted);
    }
  }

  /** @throws ApiError 429. @throws StoreUnavailableError */
  replayed(record_id: string, bytes: number): Promise<void> {
    return this.limits.enforce(REPLAY_POLICY.name, ownerOfRecord(record_id), undefined, bytes);
  }

  async #count(owner: string, bytes: number): Promise<void> {
    const state = await this.limits.consume(policyOf(owner).name, owner, bytes);
    if (state.remaining === 0) this.#full.set(owner, this.clock.now() + state.resetSeconds * 1_000);
  }
}

function policyOf(owner: string): RatePolicy {
  if (owner.startsWith('tenant ')) return TENANT_POLICY;
  return owner.startsWith('operator ') ? OPERATOR_POLICY : COMPANY_POLICY;
}
