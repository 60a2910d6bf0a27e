import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';
import { MongoDbConnection } from '../documents/mongodb/mongodb-connection.js';
import { demandStreamPrefix } from '../documents/stream-prefix-record.js';
import type { EventStore } from '../log/event-store.js';
import { openMongoDb, VIEWS_PREFIX } from '../adapters.js';
import { fillViews } from './fill-views.js';
import { CommandError, type Output } from './output.js';
import { closeStores, commandPorts, openAloneOrSay, logOn, openServerLog } from './stores.js';

/** The lease under which processes on servers keep the views, and how long it holds without being renewed. */
const LEASE_NAME = 'views';
const LEASE_MILLISECONDS = 10_000;
const MONGODB_LEASES = `${VIEWS_PREFIX}__leases`;

/**
 * Empties the views on MongoDB and fills them from the log. Only where nobody serves from them meanwhile: a rebuild that
 * is cut off goes on when the service starts.
 * @returns how many events they hold
 */
export async function rebuildOnServers(
  environment: Environment,
  mongodb_url: string,
  output: Output,
): Promise<number> {
  const stores = {
    eventStore: await openLogAlone(environment),
    ...(await openMongoDb(mongodb_url, systemClock)),
  };
  try {
    await demandStreamPrefix(stores.records, environment.eventstore_stream_prefix);
    return await leading(stores.views, async ({ fence }) => {
      await dropViews(mongodb_url);
      return fillViews(commandPorts(environment, stores), output, fence);
    });
  } finally {
    await closeStores(stores);
  }
}

async function openLogAlone(environment: Environment): Promise<EventStore> {
  const { data_dir, eventstore_url } = environment;
  if (eventstore_url !== undefined) return openServerLog(environment);
  return logOn(await openAloneOrSay(data_dir), environment);
}

/** Does the work of whoever keeps the views, if nobody does at present. */
async function leading<T>(views: DocumentStore, work: (lease: Lease) => Promise<T>): Promise<T> {
  const lease = await views.takeLease(LEASE_NAME, systemIds.ulid(), LEASE_MILLISECONDS);
  if (lease === undefined) {
    throw new CommandError('A running service keeps the views. Stop every process of it and run this again.');
  }
  let cancel: () => void = () => undefined;
  const renewLater = () => {
    cancel = systemClock.after(LEASE_MILLISECONDS / 3, () => {
      // Where it is lost, the checkpoint refuses what this process still writes.
      views.renewLease(lease).then(renewLater, renewLater);
    });
  };
  renewLater();
  try {
    return await work(lease);
  } finally {
    cancel();
    await views.releaseLease(lease);
  }
}

/** The lease stays: whoever comes next must have a higher fence. */
async function dropViews(url: string): Promise<void> {
  const connection = await MongoDbConnection.open(url);
  connection.retain();
  try {
    const database = connection.client.db(connection.database);
    const collections = await database.listCollections({}, { nameOnly: true }).toArray();
    for (const { name } of collections) {
      if (name.startsWith(VIEWS_PREFIX) && name !== MONGODB_LEASES) await database.dropCollection(name);
    }
  } finally {
    await connection.release();
  }
}
