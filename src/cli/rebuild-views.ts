import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../documents/embedded/embedded-database.js';
import { EmbeddedDocumentStore } from '../documents/embedded/embedded-document-store.js';
import { isEmbeddedStoreLockedError } from '../documents/embedded/writer-lock.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';
import { MongoDbConnection } from '../documents/mongodb/mongodb-connection.js';
import { AppliedEvents } from '../eventing/applied-events.js';
import { EmbeddedEventStore } from '../eventing/embedded/embedded-event-store.js';
import type { EventStore } from '../eventing/event-store.js';
import { ProjectionRunner } from '../eventing/projection-runner.js';
import { STREAM_KINDS, type StreamKind } from '../eventing/stream-kind.js';
import { openMongoDb, type Ports, STORE_FOLDER, VIEWS_FOLDER, VIEWS_PREFIX } from '../ports.js';
import { CommandError, type Output, progressOn } from './output.js';
import { commandPorts, demandFolder, openServerLog, type Stores } from './stores.js';

/** The lease under which processes on servers keep the views, and how long it holds without being renewed. */
const LEASE_NAME = 'views';
const LEASE_MILLISECONDS = 10_000;
const MONGODB_LEASES = `${VIEWS_PREFIX}__leases`;

/**
 * Empties the views and fills them from the log. Only where nobody serves from them meanwhile: a rebuild that is cut off
 * goes on when the service starts.
 */
export async function rebuildViews(environment: Environment, output: Output): Promise<number> {
  const { mongodb_url } = environment;
  const stores =
    mongodb_url === undefined
      ? await emptiedEmbedded(environment)
      : await openServers(environment, mongodb_url);
  const ports = commandPorts(environment, stores);
  const options = { logger: false, abortOnError: false } as const;
  const context = await NestFactory.createApplicationContext(AppModule.with(ports), options);
  try {
    const kinds = context.get<StreamKind<unknown>[]>(STREAM_KINDS, { strict: false });
    const fill = (fence?: number) => catchUp(ports, kinds, output, fence);
    const events =
      mongodb_url === undefined
        ? await fill()
        : await leading(ports.views, async ({ fence }) => {
            await dropViews(mongodb_url);
            return fill(fence);
          });
    output.stdout.write(`ok: the views hold ${events} events\n`);
    return 0;
  } finally {
    await context.close();
  }
}

/** The stores of `DATA_DIR`, the views among them empty. The lock on the store keeps every service away. */
async function emptiedEmbedded({ data_dir, eventstore_url }: Environment): Promise<Stores> {
  const store = await openAlone(data_dir);
  const folder = join(data_dir, VIEWS_FOLDER);
  await emptyFolder(folder);
  const views = await openEmbeddedDatabase({ folder, durable: false, clock: systemClock });
  return {
    eventStore:
      eventstore_url === undefined ? new EmbeddedEventStore(store) : await openServerLog(eventstore_url),
    records: new EmbeddedDocumentStore(store, systemClock),
    views: new EmbeddedDocumentStore(views, systemClock),
  };
}

async function openServers(environment: Environment, mongodb_url: string): Promise<Stores> {
  const { data_dir, eventstore_url } = environment;
  const eventStore =
    eventstore_url === undefined
      ? new EmbeddedEventStore(await openAlone(data_dir))
      : await openServerLog(eventstore_url);
  return { eventStore, ...(await openMongoDb(mongodb_url, systemClock)) };
}

async function openAlone(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = demandFolder(data_dir, STORE_FOLDER);
  try {
    return await openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
  } catch (error) {
    if (!isEmbeddedStoreLockedError(error)) throw error;
    throw new CommandError(
      `The service is running on ${data_dir} (process ${error.pid}). Stop it and run this again, or start it anew ` +
        `after deleting ${join(data_dir, VIEWS_FOLDER)}: it rebuilds missing views before it takes requests.`,
    );
  }
}

/** Removes what is in a folder, not the folder, which may be a mount. Whatever order it is cut off in, nothing half is left. */
async function emptyFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
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

/** @returns how many events the views hold. */
async function catchUp(
  ports: Ports,
  kinds: readonly StreamKind<unknown>[],
  output: Output,
  fence: number | undefined,
): Promise<number> {
  let events = 0;
  const progress = progressOn(output, 'applied');
  const store = counting(ports.eventStore, (more) => {
    events += more;
    progress(events);
  });
  const { views, clock, logger } = ports;
  const runner = new ProjectionRunner({ store, views, clock, logger, applied: new AppliedEvents() }, kinds);
  try {
    await runner.start(fence);
  } finally {
    await runner.stop();
  }
  return events;
}

/** The store as a runner needs it, telling how many events have been handled. */
function counting(store: EventStore, handled: (events: number) => void): EventStore {
  return {
    append: (appends) => store.append(appends),
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (options) => store.readAll(options),
    ping: () => store.ping(),
    close: () => store.close(),
    subscribe: (after, handler) =>
      store.subscribe(after, {
        handle: async (events) => {
          await handler.handle(events);
          handled(events.length);
        },
        caughtUp: () => handler.caughtUp?.(),
        failed: (error) => handler.failed?.(error),
      }),
  };
}
