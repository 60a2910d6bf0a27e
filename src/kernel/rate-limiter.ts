import type { ApiError } from './errors/api-error.js';

export interface RatePolicy {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
  /** A body takes one more point for each of these. Absent: a body of any size takes none. */
  readonly bodyBytesPerPoint?: number;
}

export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1 while one is open. */
  readonly resetSeconds: number;
}

export type Counter = readonly [policy: string, key: string];

/** Takes headers for an answer that is yet to be made. */
export interface AnswerHeaders {
  setHeader(name: string, value: string): unknown;
}

/** Limits by name, of which a feature defines its own. What counts them stands in `web`. */
export abstract class RateLimiter {
  /** Adds a policy of a feature, at start. @throws Error for a name that exists */
  abstract define(policy: RatePolicy): void;

  /** Takes points, one by default. Does not throw at the limit: check `allowed`. @throws StoreUnavailableError */
  abstract consume(policy: string, key: string, points?: number): Promise<RateState>;

  /**
   * For attempts that count only if they fail. Takes no points. The headers show the first counter, or the counter that is
   * used up.
   * @throws ApiError 429 if one of the counters is used up
   */
  abstract demand(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void>;

  /** Takes one point from each counter. */
  abstract count(counters: readonly Counter[], headers?: AnswerHeaders): Promise<void>;

  /** Makes the 429 for the caller to throw, and counts it in the metrics. */
  abstract refusal(policy: string, state: Pick<RateState, 'resetSeconds'>): ApiError;
}
