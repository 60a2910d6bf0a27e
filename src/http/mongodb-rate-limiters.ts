import type { MongoClient } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { flexibleLimiter, type RateLimiterFactory } from './rate-limiter.js';

/** What the limits need of the connection that they share with the documents. */
export interface LimitsConnection {
  readonly client: MongoClient;
  readonly database: string;
  /** The time that one call may take. */
  patience(): { race<T>(kind: 'write', command: () => Promise<T>): Promise<T> };
}

/** Counts in MongoDB, so that several processes share one quota (decisions on limits). */
export function mongoDbRateLimiters(connection: LimitsConnection): RateLimiterFactory {
  const { client, database } = connection;
  return (policy) => {
    const limiter = new RateLimiterMongo({
      storeClient: client,
      dbName: database,
      tableName: 'rate_limits',
      keyPrefix: policy.name,
      points: policy.limit,
      duration: policy.windowSeconds,
    });
    const unbounded = flexibleLimiter(policy, limiter);
    return {
      consume: (key, points) => available(connection, () => unbounded.consume(key, points)),
      peek: (key) => available(connection, () => unbounded.peek(key)),
      reset: (key) => available(connection, () => unbounded.reset(key)),
    };
  };
}

/** The library waits for as long as the driver does: for ever, where the server is silent. */
async function available<T>(connection: LimitsConnection, ask: () => Promise<T>): Promise<T> {
  try {
    return await connection.patience().race('write', ask);
  } catch (error) {
    throw new StoreUnavailableError('The rate limits cannot be read.', true, { cause: error });
  }
}
