import type { Collection, MongoClient } from 'mongodb';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { flexibleLimiter, type RateLimiterFactory } from './rate-limiter.js';

/** What the limits need of the connection that they share with the documents. */
export interface LimitsConnection {
  readonly client: MongoClient;
  readonly database: string;
  /** The time that one call may take. */
  callDeadline(): { race<T>(kind: 'write', command: () => Promise<T>): Promise<T> };
  ensureIndexes(
    collection: Collection,
    indexes: readonly LimitsIndex[],
    beforeUnique: () => Promise<void>,
  ): Promise<void>;
}

interface LimitsIndex {
  readonly name: string;
  readonly key: Record<string, number>;
  readonly unique?: boolean;
  readonly expireAfterSeconds?: number;
}

const COLLECTION = 'rate_limits';
/** What the library would make: one count for a key, and an end to each. */
const INDEXES: readonly LimitsIndex[] = [
  { name: 'expire_-1', key: { expire: -1 }, expireAfterSeconds: 0 },
  { name: 'key_1', key: { key: 1 }, unique: true },
];

/**
 * Counts in MongoDB, so that several processes share one quota (decisions on limits). Without its indexes a key could have
 * two counts, so none is taken before they stand.
 * @throws IndexDiffersError @throws StoreUnavailableError
 */
export async function mongoDbRateLimiters(connection: LimitsConnection): Promise<RateLimiterFactory> {
  const { client, database } = connection;
  const counts = client.db(database).collection(COLLECTION);
  // What was counted without the index may have two counts of a key, on which it could not be made; counts may be lost.
  await connection.ensureIndexes(counts, INDEXES, async () => void (await counts.deleteMany({})));
  const ask = <T>(work: () => Promise<T>) => available(connection, work);
  return (policy) => {
    const limiter = new RateLimiterMongo({
      storeClient: client,
      dbName: database,
      tableName: COLLECTION,
      // The library would make them for each policy, print what fails, and count without them.
      disableIndexesCreation: true,
      keyPrefix: policy.name,
      points: policy.limit,
      duration: policy.windowSeconds,
    });
    const unbounded = flexibleLimiter(policy, limiter);
    return {
      consume: (key, points) => ask(() => unbounded.consume(key, points)),
      peek: (key) => ask(() => unbounded.peek(key)),
      giveBack: (key) => ask(() => unbounded.giveBack(key)),
      reset: (key) => ask(() => unbounded.reset(key)),
    };
  };
}

/** The library waits for as long as the driver does: for ever, where the server is silent. */
async function available<T>(connection: LimitsConnection, ask: () => Promise<T>): Promise<T> {
  try {
    return await connection.callDeadline().race('write', ask);
  } catch (error) {
    throw new StoreUnavailableError('The rate limits cannot be read.', true, { cause: error });
  }
}
