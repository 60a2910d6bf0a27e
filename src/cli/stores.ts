import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { type Environment, isOnServers, type OnServers } from '#kernel/environment/environment.js';
import { systemIds } from '#kernel/ids.js';
import { createLogger, silentLogger } from '#kernel/logger.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { assertStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import { HmacKeyIssuer } from '#domain/locks/index.js';
import { openEventStoreDb, openMongoDb, type Ports, STORE_FOLDER, VIEWS_FOLDER } from '#app/adapters.js';
import { EmbeddedStoreLockedError } from '#stores/embedded/database/writer-lock.js';
import { CommandError } from './output.js';

export type Stores = Pick<Ports, 'eventStore' | 'records' | 'views'>;

/**
 * Opens the log for reading, beside a running service or alone.
 * @throws StoreUnavailableError @throws OtherStreamPrefixError
 */
export async function openLog(environment: Environment): Promise<SoundStreams> {
  const eventStore = isOnServers(environment)
    ? await openServerLog(environment)
    : logOn(await openStoreReader(environment.data_dir), environment);
  try {
    const records = await openRecords(environment);
    await assertStreamPrefix(records, environment.eventstore_stream_prefix).finally(() => records.close());
    return soundStreams(eventStore);
  } catch (error) {
    await eventStore.close();
    throw error;
  }
}

/** What is sound of a log, for a command that keeps no list of damaged streams. */
export function soundStreams(eventStore: EventStore): SoundStreams {
  return new SoundStreams(eventStore, new DamagedStreams());
}

/** The records for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openRecords(environment: Environment): Promise<DocumentStore> {
  if (!isOnServers(environment))
    return new EmbeddedDocumentStore(await openStoreReader(environment.data_dir), systemClock);
  const { records, views } = await openMongoDb(environment.mongodb_url, systemClock);
  await views.close();
  return records;
}

/** The views for reading. Undefined if the service has not made any yet. @throws StoreUnavailableError */
export async function openViews(environment: Environment): Promise<DocumentStore | undefined> {
  if (!isOnServers(environment)) {
    const isThere = existsSync(join(environment.data_dir, VIEWS_FOLDER));
    if (!isThere) return undefined;
    return new EmbeddedDocumentStore(await openViewsReader(environment.data_dir), systemClock);
  }
  const { records, views } = await openMongoDb(environment.mongodb_url, systemClock);
  await records.close();
  return views;
}

/** Opens all stores for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openReaders(environment: Environment): Promise<Stores> {
  const eventStore = await openLog(environment);
  const documents = isOnServers(environment)
    ? await openMongoDb(environment.mongodb_url, systemClock)
    : await openDocuments(environment.data_dir);
  return { eventStore, ...documents };
}

async function openDocuments(data_dir: string): Promise<Pick<Ports, 'records' | 'views'>> {
  const records = await openStoreReader(data_dir);
  const views = await openViewsReader(data_dir);
  return {
    records: new EmbeddedDocumentStore(records, systemClock),
    views: new EmbeddedDocumentStore(views, systemClock),
  };
}

/** Opens the log on servers. Its client must log nothing, because a command prints data to standard output. */
export async function openServerLog(environment: OnServers): Promise<EventStore> {
  return (await openEventStoreDb(environment, systemClock, createLogger('fatal'))).eventStore;
}

/** The log of an embedded store. */
export function logOn(store: EmbeddedDatabase, { eventstore_stream_prefix }: Environment): EventStore {
  return new OwnStreams(new EmbeddedEventStore(store), eventstore_stream_prefix);
}

/** The log and the records of `DATA_DIR` for reading, beside a running service or alone. @throws StoreUnavailableError */
export function openStoreReader(data_dir: string): Promise<EmbeddedDatabase> {
  return openFolder(join(data_dir, STORE_FOLDER));
}

async function openFolder(folder: string): Promise<EmbeddedDatabase> {
  assertFolder(folder);
  return openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
}

function openViewsReader(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = join(data_dir, VIEWS_FOLDER);
  if (existsSync(folder)) return openFolder(folder);
  throw new CommandError(
    'There are no views yet: start the service once, or run storage-access views rebuild.',
  );
}

type RecordStores = Pick<Stores, 'eventStore' | 'records'>;

/** Opens all stores on servers. */
export async function openServers(environment: OnServers): Promise<Stores> {
  const eventStore = await openServerLog(environment);
  return { eventStore, ...(await openMongoDb(environment.mongodb_url, systemClock)) };
}

/**
 * Opens log and records of `DATA_DIR` for writing. No service can start meanwhile.
 * @param advice the message if a service runs on the folder
 * @throws CommandError with it
 */
export async function openEmbeddedAlone(
  environment: Environment,
  advice = (pid: string) =>
    `The service is running on ${environment.data_dir} (process ${pid}). Stop it and run this again.`,
): Promise<RecordStores> {
  const folder = join(environment.data_dir, STORE_FOLDER);
  assertFolder(folder);
  try {
    const store = await openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
    return { eventStore: logOn(store, environment), records: new EmbeddedDocumentStore(store, systemClock) };
  } catch (error) {
    throw error instanceof EmbeddedStoreLockedError ? new CommandError(advice(String(error.pid))) : error;
  }
}

/** Opens log and records for writing. On embedded stores no service may run. @throws CommandError */
export async function openRecordsAlone(environment: Environment): Promise<RecordStores & Partial<Stores>> {
  const stores = isOnServers(environment)
    ? await openServers(environment)
    : await openEmbeddedAlone(environment);
  await assertStreamPrefix(stores.records, environment.eventstore_stream_prefix);
  return stores;
}

/** @throws CommandError if `DATA_DIR` is not the folder of a service that was started */
export function assertData(environment: Environment): void {
  const { data_dir } = environment;
  assertFolder(isOnServers(environment) ? data_dir : join(data_dir, STORE_FOLDER));
}

/** The folder must exist, so that a wrong `DATA_DIR` does not become a new store. */
function assertFolder(folder: string): void {
  if (existsSync(folder)) return;
  throw new CommandError(`There is no ${folder}. Set DATA_DIR to the folder of the service's data.`);
}

export async function closeStores({ eventStore, records, views }: Partial<Stores>): Promise<void> {
  await eventStore?.close();
  await records?.close();
  await views?.close();
}

/** Ports for parts of the service in a command, which sends no messages and issues no keys. */
export function commandPorts(environment: Environment, stores: Stores): Ports {
  return {
    environment,
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    ...stores,
    smsSender: {
      send: () => Promise.reject(new Error('A command sends no messages.')),
      forget: () => Promise.reject(new Error('A command forgets no messages.')),
    },
    keyIssuer: new HmacKeyIssuer(randomBytes(32)),
    embedded: !isOnServers(environment),
  };
}
