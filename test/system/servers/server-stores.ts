import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { systemClock } from '#kernel/clock.js';
import { MongoDbConnection } from '#stores/mongodb/mongodb-connection.js';
import { MongoDbDocumentStore } from '#stores/mongodb/mongodb-document-store.js';
import { DEFAULT_STREAM_PREFIX } from '#kernel/environment/environment.js';
import { ownStreams } from '../../support/own-streams.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { type MongoServer, mongoServer } from '../../support/mongo-server.js';
import type { Stores, StoresFactory } from '../../support/service.js';
import { eventServer } from './event-server.js';

const VIEWS = 'views_';
/** The double and the stand-in on a busy machine are slower than any server; deadlines have tests of their own. */
const PATIENCE = 25_000;
const TIMINGS = {
  appendAttempt: PATIENCE,
  appendDeadline: 2 * PATIENCE,
  readSilence: PATIENCE,
  readDeadline: 2 * PATIENCE,
};

/** The stores of one service of a suite. */
interface Place {
  readonly eventStoreUrl: string;
  readonly database: string;
  remove(): Promise<void>;
}

/**
 * Stores on servers, an event log and a database for each service of a suite. On a named event store the log is shared
 * and outlives the suite: company ids are unique, so that streams never meet.
 */
export class ServerStores implements StoresFactory {
  readonly #places = new Map<string, Promise<Place>>();
  #mongo: Promise<MongoServer> | undefined;

  async open(folder: string, clock: Parameters<StoresFactory['open']>[1]): Promise<Stores> {
    const { eventStoreUrl, database } = await this.#place(folder);
    const connection = await MongoDbConnection.open((await this.#server()).url, { callTimeout: PATIENCE });
    return {
      // Its deadlines are those of the network: a clock that a test moves has no part in them.
      eventStore: ownStreams(
        new EventStoreDbEventStore({
          url: eventStoreUrl,
          streamPrefix: DEFAULT_STREAM_PREFIX,
          clock: systemClock,
          timings: TIMINGS,
        }),
      ),
      records: new MongoDbDocumentStore(connection, { clock, database, prefix: 'records_' }),
      views: new MongoDbDocumentStore(connection, { clock, database, prefix: VIEWS }),
      embedded: false,
    };
  }

  async dropViews(folder: string): Promise<void> {
    const { database } = await this.#place(folder);
    await dropCollections((await this.#server()).url, database, VIEWS);
  }

  /** Removes what the services so far have kept; all of them have been closed. */
  async clear(): Promise<void> {
    for (const place of this.#places.values()) await (await place).remove();
    this.#places.clear();
  }

  async close(): Promise<void> {
    await this.clear();
    await (await this.#mongo)?.stop();
  }

  #place(folder: string): Promise<Place> {
    const known = this.#places.get(folder) ?? this.#makePlace();
    this.#places.set(folder, known);
    return known;
  }

  async #makePlace(): Promise<Place> {
    const events = await eventServer();
    const mongo = await this.#server();
    const database = `test_${randomUUID()}`;
    const remove = async () => {
      await events.close();
      await dropDatabase(mongo.url, database);
    };
    return { eventStoreUrl: events.url, database, remove };
  }

  #server(): Promise<MongoServer> {
    this.#mongo ??= mongoServer();
    return this.#mongo;
  }
}

/** Removes the collections of a database whose names begin so. */
export async function dropCollections(url: string, database: string, prefix: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: PATIENCE });
  try {
    for (const { name } of await client.db(database).listCollections().toArray()) {
      if (name.startsWith(prefix)) await client.db(database).dropCollection(name);
    }
  } finally {
    await client.close();
  }
}

export async function dropDatabase(url: string, database: string): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: PATIENCE });
  await client.db(database).dropDatabase();
  await client.close();
}
