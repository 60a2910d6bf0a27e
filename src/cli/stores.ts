import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../config/clock.js';
import { type Environment, isOnServers, type OnServers } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { createLogger, silentLogger } from '../config/logger.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../storage/embedded-database.js';
import { recordsCommitWith } from '../storage/records-commit.js';
import { EmbeddedDocumentStore } from '../documents/embedded/embedded-document-store.js';
import { EmbeddedEventStore } from '../log/embedded/embedded-event-store.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';
import { OwnStreams } from '../log/own-streams.js';
import { demandStreamPrefix } from '../documents/stream-prefix-record.js';
import { HmacKeyIssuer } from '../locks/index.js';
import { openEventStoreDb, openMongoDb, type Ports, STORE_FOLDER, VIEWS_FOLDER } from '../adapters.js';
import { EmbeddedStoreLockedError } from '../storage/writer-lock.js';
import { CommandError } from './output.js';

export type Stores = Pick<Ports, 'eventStore' | 'records' | 'views'>;

/**
 * Opens the log for reading, beside a running service or alone.
 * @throws StoreUnavailableError @throws OtherStreamPrefixError
 */
export async function openLog(environment: Environment): Promise<EventStore> {
  const eventStore = isOnServers(environment)
    ? await openServerLog(environment)
    : logOn(await openStoreReader(environment.data_dir), environment);
  try {
    const records = await openRecords(environment);
    await demandStreamPrefix(records, environment.eventstore_stream_prefix).finally(() => records.close());
    return eventStore;
  } catch (error) {
    await eventStore.close();
    throw error;
  }
}

/** The records for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openRecords(environment: Environment): Promise<DocumentStore> {
  if (!isOnServers(environment))
    return new EmbeddedDocumentStore(await openStoreReader(environment.data_dir), systemClock);
  const { records, views } = await openMongoDb(environment.mongodb_url, systemClock);
  await views.close();
  return records;
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

/** The servers' log. The client writes to standard output what it logs; what a command prints there is data. */
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
  demandFolder(folder);
  return openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
}

function openViewsReader(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = join(data_dir, VIEWS_FOLDER);
  if (existsSync(folder)) return openFolder(folder);
  throw new CommandError(
    'There are no views yet: start the service once, or run storage-access views rebuild.',
  );
}

/**
 * The log and the records of `DATA_DIR` for writing, which keeps every service away.
 * @param advice to whom a service runs on the folder
 * @throws CommandError then
 */
export async function openAlone(
  data_dir: string,
  advice = (pid: string) =>
    `The service is running on ${data_dir} (process ${pid}). Stop it and run this again.`,
): Promise<EmbeddedDatabase> {
  const folder = join(data_dir, STORE_FOLDER);
  demandFolder(folder);
  try {
    return await openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
  } catch (error) {
    throw error instanceof EmbeddedStoreLockedError ? new CommandError(advice(String(error.pid))) : error;
  }
}

/** Views are opened where the records cannot be without them. */
type RecordStores = Pick<Stores, 'eventStore' | 'records'> & Partial<Stores>;

/** The log and the records for writing. On embedded stores no service may run meanwhile. @throws CommandError */
export async function openRecordsAlone(environment: Environment): Promise<RecordStores> {
  const stores = isOnServers(environment)
    ? {
        eventStore: await openServerLog(environment),
        ...(await openMongoDb(environment.mongodb_url, systemClock)),
      }
    : await openEmbeddedAlone(environment);
  await demandStreamPrefix(stores.records, environment.eventstore_stream_prefix);
  return stores;
}

async function openEmbeddedAlone(environment: Environment): Promise<RecordStores> {
  const store = await openAlone(environment.data_dir);
  return { eventStore: logOn(store, environment), records: new EmbeddedDocumentStore(store, systemClock) };
}

/** A folder of the service's data must be there: a mistyped `DATA_DIR` shall not become a new store. */
function demandFolder(folder: string): void {
  if (existsSync(folder)) return;
  throw new CommandError(`There is no ${folder}. Set DATA_DIR to the folder of the service's data.`);
}

/** Closes what was opened. */
export async function closeStores({ eventStore, records, views }: Partial<Stores>): Promise<void> {
  await eventStore?.close();
  await records?.close();
  await views?.close();
}

/** Ports for the parts of the service that a command needs: it sends no message and issues no key. */
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
    idempotency: { singleProcess: true, recordsCommitWith: recordsCommitWith(environment) },
  };
}
