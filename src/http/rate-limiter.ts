import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** So many points per window and key. */
export interface RatePolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What is left of a key's points. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1 while one is open. */
  readonly resetSeconds: number;
}

/** Counts points under one policy. The counting is rate-limiter-flexible's; the port keeps its clock out of tests. */
export interface RateLimiter {
  /** Takes points, one unless told. A refused attempt takes none of the next window. @throws StoreUnavailableError */
  consume(key: string, points?: number): Promise<RateState>;
  /** The same without taking a point. @throws StoreUnavailableError */
  peek(key: string): Promise<RateState>;
  /** Gives one point back, in the window that it was taken in. @throws StoreUnavailableError */
  giveBack(key: string): Promise<void>;
  /** Forgets the key's points. @throws StoreUnavailableError */
  reset(key: string): Promise<void>;
}

/** Makes the limiter of a policy. Bound to a shared store where several processes must count together. */
export type RateLimiterFactory = (policy: RatePolicy) => RateLimiter;

/** Injection token of a `RateLimiterFactory`; counters are in memory where it is not bound. */
export const RATE_LIMITER_FACTORY = Symbol('RateLimiterFactory');

/** The subset of rate-limiter-flexible's limiters that is used; all its stores have it. */
interface FlexibleLimiter {
  consume(key: string, points?: number): Promise<RateLimiterRes>;
  get(key: string): Promise<RateLimiterRes | null>;
  reward(key: string, points: number): Promise<RateLimiterRes>;
  delete(key: string): Promise<boolean>;
}

/** A limiter of rate-limiter-flexible behind the port. */
export function flexibleLimiter(policy: RatePolicy, limiter: FlexibleLimiter): RateLimiter {
  const stateOf = (counted: RateLimiterRes | null, allowed: boolean): RateState => ({
    allowed,
    limit: policy.limit,
    remaining: counted === null ? policy.limit : Math.max(0, policy.limit - counted.consumedPoints),
    resetSeconds:
      counted === null ? policy.windowSeconds : Math.max(1, Math.ceil(counted.msBeforeNext / 1000)),
  });
  return {
    async consume(key, points = 1) {
      try {
        return stateOf(await limiter.consume(key, points), true);
      } catch (refusal) {
        // The library rejects with its result where the points are used up, and with an Error where its store failed.
        if (refusal instanceof RateLimiterRes) return stateOf(refusal, false);
        throw refusal;
      }
    },
    async peek(key) {
      const counted = await limiter.get(key);
      // A window that has ended may still be remembered until its timer has run.
      const current = counted === null || counted.msBeforeNext <= 0 ? null : counted;
      return stateOf(current, current === null || current.consumedPoints < policy.limit);
    },
    async giveBack(key) {
      const counted = await limiter.get(key);
      // The next window is given none.
      if (counted !== null && counted.msBeforeNext > 0) await limiter.reward(key, 1);
    },
    async reset(key) {
      await limiter.delete(key);
    },
  };
}

/** Counts in this process's memory. */
export const memoryRateLimiters: RateLimiterFactory = (policy) =>
  flexibleLimiter(
    policy,
    new RateLimiterMemory({ keyPrefix: policy.name, points: policy.limit, duration: policy.windowSeconds }),
  );
