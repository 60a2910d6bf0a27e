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

const COLLECTION = 'rate_limits';

/** Counts in MongoDB, so that several processes share one quota (decisions on limits). */
export function mongoDbRateLimiters(connection: LimitsConnection): RateLimiterFactory {
  const { client, database } = connection;
  const indexes = new Indexes(connection);
  // Within the time that one call may take.
  const ask = <T>(work: () => Promise<T>) =>
    available(connection, async () => {
      await indexes.tried();
      return work();
    });
  return (policy) => {
    const limiter = new RateLimiterMongo({
      storeClient: client,
      dbName: database,
      tableName: COLLECTION,
      // The library would make them at each start and for each policy, print what fails, and never try again.
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

/** What the library would make: one count for a key, and an end to each. */
class Indexes {
  #made: Promise<void> | undefined;

  constructor(private readonly connection: LimitsConnection) {}

  /** Made before the first count; where that fails, before the next. */
  async tried(): Promise<void> {
    this.#made ??= this.#make();
    await this.#made.catch(() => (this.#made = undefined));
  }

  async #make(): Promise<void> {
    const { client, database } = this.connection;
    await client
      .db(database)
      .collection(COLLECTION)
      .createIndexes([
        { key: { expire: -1 }, expireAfterSeconds: 0 },
        { key: { key: 1 }, unique: true },
      ]);
  }
}

/** The library waits for as long as the driver does: for ever, where the server is silent. */
async function available<T>(connection: LimitsConnection, ask: () => Promise<T>): Promise<T> {
  try {
    return await connection.patience().race('write', ask);
  } catch (error) {
    throw new StoreUnavailableError('The rate limits cannot be read.', true, { cause: error });
  }
}
