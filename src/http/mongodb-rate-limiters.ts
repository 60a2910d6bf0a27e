import type { MongoClient } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { flexibleLimiter, type RateLimiterFactory } from './rate-limiter.js';

/** Counts in MongoDB, so that several processes share one quota (decisions on limits). */
export function mongoDbRateLimiters(client: MongoClient, database: string): RateLimiterFactory {
  return (policy) => {
    const limiter = new RateLimiterMongo({
      storeClient: client,
      dbName: database,
      tableName: 'rate_limits',
      keyPrefix: policy.name,
      points: policy.limit,
      duration: policy.windowSeconds,
    });
    return flexibleLimiter(policy, {
      consume: (key) => available(limiter.consume(key)),
      get: (key) => available(limiter.get(key)),
      delete: (key) => available(limiter.delete(key)),
    });
  };
}

/** A refusal of the limiter passes; a failure of its store is told as one. */
async function available<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RateLimiterRes) throw error;
    throw new StoreUnavailableError('The rate limits cannot be read.', true, { cause: error });
  }
}
