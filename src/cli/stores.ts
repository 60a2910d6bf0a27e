import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { createLogger, silentLogger } from '../config/logger.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../storage/embedded-database.js';
import { recordsCommitWith } from '../storage/records-commit.js';
import { EmbeddedDocumentStore } from '../documents/embedded/embedded-document-store.js';
import type { Generations } from '../documents/embedded/generations.js';
import { EmbeddedEventStore } from '../log/embedded/embedded-event-store.js';
import type { DocumentStore } from '../documents/document-store.js';
import type { EventStore } from '../log/event-store.js';
import { OwnStreams } from '../log/own-streams.js';
import { demandStreamPrefix } from '../documents/stream-prefix-record.js';
import { HmacKeyIssuer } from '../locks/index.js';
import { openEventStoreDb, openMongoDb, type Ports, STORE_FOLDER, viewGenerations } from '../adapters.js';
import { isEmbeddedStoreLockedError } from '../storage/writer-lock.js';
import { CommandError } from './output.js';

export type Stores = Pick<Ports, 'eventStore' | 'records' | 'views'>;

/**
 * Opens the log for reading, beside a running service or alone. Where the records cannot say whether its streams stand
 * under this prefix, it must hold some: under a wrong one every log is empty.
 * @throws StoreUnavailableError @throws OtherStreamPrefixError
 */
export async function openLog(environment: Environment): Promise<EventStore> {
  const { data_dir, eventstore_url, mongodb_url } = environment;
  const eventStore =
    eventstore_url === undefined
      ? logOn(await openStoreReader(data_dir), environment)
      : await openServerLog(environment);
  try {
    if (
      mongodb_url === undefined &&
      eventstore_url !== undefined &&
      !existsSync(join(data_dir, STORE_FOLDER))
    ) {
      await demandEvents(eventStore, environment);
    } else {
      const records = await openRecords(environment);
      await demandStreamPrefix(records, environment.eventstore_stream_prefix).finally(() => records.close());
    }
    return eventStore;
  } catch (error) {
    await eventStore.close();
    throw error;
  }
}

async function openRecords({ data_dir, mongodb_url }: Environment): Promise<DocumentStore> {
  if (mongodb_url === undefined)
    return new EmbeddedDocumentStore(await openStoreReader(data_dir), systemClock);
  const { records, views } = await openMongoDb(mongodb_url, systemClock);
  await views.close();
  return records;
}

async function demandEvents(store: EventStore, { eventstore_stream_prefix }: Environment): Promise<void> {
  if ((await store.readAll({ limit: 1 })).length > 0) return;
  throw new CommandError(
    `The event store holds no stream that begins with "${eventstore_stream_prefix}": set EVENTSTORE_STREAM_PREFIX to the one of the service.`,
  );
}

/** Opens all stores for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openReaders(environment: Environment): Promise<Stores> {
  const { data_dir, mongodb_url } = environment;
  const eventStore = await openLog(environment);
  const documents =
    mongodb_url === undefined ? await openDocuments(data_dir) : await openMongoDb(mongodb_url, systemClock);
  return { eventStore, ...documents };
}

async function openDocuments(data_dir: string): Promise<Pick<Ports, 'records' | 'views'>> {
  const records = await openStoreReader(data_dir);
  const views = await openViewsReader(viewGenerations(records, data_dir));
  return {
    records: new EmbeddedDocumentStore(records, systemClock),
    views: new EmbeddedDocumentStore(views, systemClock),
  };
}

/** The servers' log. The client writes to standard output what it logs; what a command prints there is data. */
export async function openServerLog(environment: Environment): Promise<EventStore> {
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

/** The views in use, which a rebuild may replace while they are being opened. */
async function openViewsReader(generations: Generations): Promise<EmbeddedDatabase> {
  const folder = generations.current();
  if (!existsSync(folder)) {
    throw new CommandError(
      'There are no views yet: start the service once, or run storage-access views rebuild.',
    );
  }
  try {
    return await openFolder(folder);
  } catch (error) {
    if (generations.current() === folder) throw error;
    return openViewsReader(generations);
  }
}

/**
 * The log and the records of `DATA_DIR` for writing, which keeps every service away.
 * @throws EmbeddedStoreLockedError where one runs
 */
export async function openAlone(data_dir: string): Promise<EmbeddedDatabase> {
  const folder = join(data_dir, STORE_FOLDER);
  demandFolder(folder);
  return openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
}

/** As {@link openAlone}. @throws CommandError where a service runs on the folder */
async function openAloneOrSay(data_dir: string): Promise<EmbeddedDatabase> {
  try {
    return await openAlone(data_dir);
  } catch (error) {
    if (!isEmbeddedStoreLockedError(error)) throw error;
    throw new CommandError(
      `The service is running on ${data_dir} (process ${error.pid}). Stop it and run this again.`,
    );
  }
}

/** Views are opened where the records cannot be without them. */
type RecordStores = Pick<Stores, 'eventStore' | 'records'> & Partial<Stores>;

/** The log and the records for writing; what of them is in `DATA_DIR` while no service runs on it. @throws CommandError */
export async function openRecordsAlone(environment: Environment): Promise<RecordStores> {
  const { data_dir, eventstore_url, mongodb_url } = environment;
  const isEmbedded = eventstore_url === undefined || mongodb_url === undefined;
  const store = isEmbedded ? await openAloneOrSay(data_dir) : undefined;
  const eventStore =
    eventstore_url === undefined ? logOn(store!, environment) : await openServerLog(environment);
  const documents =
    mongodb_url === undefined
      ? { records: new EmbeddedDocumentStore(store!, systemClock) }
      : await openMongoDb(mongodb_url, systemClock);
  await demandStreamPrefix(documents.records, environment.eventstore_stream_prefix);
  return { eventStore, ...documents };
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
