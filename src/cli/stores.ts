import { existsSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { createLogger, silentLogger } from '../config/logger.js';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../documents/embedded/embedded-database.js';
import { EmbeddedDocumentStore } from '../documents/embedded/embedded-document-store.js';
import { EmbeddedEventStore } from '../eventing/embedded/embedded-event-store.js';
import type { EventStore } from '../eventing/event-store.js';
import { HmacKeyIssuer } from '../locks/index.js';
import { openEventStoreDb, openMongoDb, type Ports, STORE_FOLDER, VIEWS_FOLDER } from '../ports.js';
import { CommandError } from './output.js';

export type Stores = Pick<Ports, 'eventStore' | 'records' | 'views'>;

/** Opens the log for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openLog(environment: Environment): Promise<EventStore> {
  const { eventstore_url } = environment;
  if (eventstore_url !== undefined) return openServerLog(eventstore_url);
  return new EmbeddedEventStore(await openReader(environment.data_dir, STORE_FOLDER));
}

/** Opens all stores for reading, beside a running service or alone. @throws StoreUnavailableError */
export async function openReaders(environment: Environment): Promise<Stores> {
  const { data_dir, mongodb_url } = environment;
  const eventStore = await openLog(environment);
  if (mongodb_url !== undefined) return { eventStore, ...(await openMongoDb(mongodb_url, systemClock)) };
  const [records, views] = [
    await openReader(data_dir, STORE_FOLDER),
    await openReader(data_dir, VIEWS_FOLDER),
  ];
  return {
    eventStore,
    records: new EmbeddedDocumentStore(records, systemClock),
    views: new EmbeddedDocumentStore(views, systemClock),
  };
}

/** The address' log. The client writes to standard output what it logs; what a command prints there is data. */
export function openServerLog(url: string): Promise<EventStore> {
  return openEventStoreDb(url, systemClock, createLogger('fatal'));
}

function openReader(data_dir: string, name: string): Promise<EmbeddedDatabase> {
  const folder = demandFolder(data_dir, name);
  return openEmbeddedDatabase({ folder, durable: true, clock: systemClock, readOnly: true });
}

/** A folder of the service's data that must be there: a mistyped `DATA_DIR` shall not become a new store. */
export function demandFolder(data_dir: string, name: string): string {
  const folder = join(data_dir, name);
  if (existsSync(folder)) return folder;
  throw new CommandError(`There is no ${folder}. Set DATA_DIR to the folder of the service's data.`);
}

/** Ports for the parts of the service that a command needs: it sends no message and issues no key. */
export function commandPorts(environment: Environment, { eventStore, records, views }: Stores): Ports {
  return {
    environment,
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    eventStore,
    records,
    views,
    smsSender: { send: () => Promise.reject(new Error('A command sends no messages.')) },
    keyIssuer: new HmacKeyIssuer(randomBytes(32)),
    idempotency: { singleProcess: true, commitsInOrder: true },
  };
}
