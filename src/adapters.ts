import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './config/clock.js';
import { systemClock } from './config/clock.js';
import { type Environment, isOnServers, type OnServers } from './config/environment.js';
import { systemIds, type Ids } from './config/ids.js';
import { createLogger, type Logger } from './config/logger.js';
import type { DocumentStore } from './documents/document-store.js';
import { keepStreamPrefix } from './documents/stream-prefix-record.js';
import { type EmbeddedDatabaseOptions, openEmbeddedDatabase } from './storage/embedded-database.js';
import { EmbeddedDocumentStore } from './documents/embedded/embedded-document-store.js';
import { presenceOfAll, type StorePresence } from './storage/server-presence.js';
import { makeStoreFolder } from './storage/store-folder.js';
import { EmbeddedEventStore } from './log/embedded/embedded-event-store.js';
import type { EventStore } from './log/event-store.js';
import { OwnStreams } from './log/own-streams.js';
import { HmacKeyIssuer, type KeyIssuer, masterSecret } from './locks/index.js';
import type { PasswordCost } from './operator/index.js';
import type { PullHttp } from './pull/index.js';
import { smsAdapter, type SmsSender } from './tenants/index.js';

/** Everything of the outer world that the service touches. A simulation brings its own. */
export interface Ports {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly eventStore: EventStore;
  readonly records: DocumentStore;
  readonly views: DocumentStore;
  readonly smsSender: SmsSender;
  readonly keyIssuer: KeyIssuer;
  /** Under which log lines name people and addresses; made up where absent. */
  readonly subjectKey?: Buffer;
  /** Requests under an `Idempotency-Key` are hashed with it: nobody guesses a secret from a hash. Zeros where absent. */
  readonly requestHashKey?: Buffer;
  /** Under which the credentials of pull sources are kept; made up where absent. */
  readonly pullSecretsKey?: Buffer;
  readonly operatorSecretsKey?: Buffer;
  /** The network where absent. */
  readonly pullHttp?: PullHttp;
  /** That of real passwords where absent. */
  readonly passwordCost?: PasswordCost;
  /** The stores are embedded: no other process works on them. */
  readonly embedded: boolean;
  /** Absent where the stores are embedded. */
  readonly presence?: StorePresence;
  /** How long a process that keeps the views and falls silent is waited for; 10 s where absent. */
  readonly lease_milliseconds?: number;
}

/** Folders of `data_dir`: the log with the records, and the views, which may be deleted. */
export const STORE_FOLDER = 'store';
export const VIEWS_FOLDER = 'views';
/** Beginnings of the names of MongoDB collections. */
export const RECORDS_PREFIX = 'records_';
export const VIEWS_PREFIX = 'views_';

/**
 * Opens the ports that the environment names.
 * @throws EmbeddedStoreLockedError where another process works on the same folder, StoreUnavailableError,
 * OtherMasterSecretError
 */
export async function openPorts(environment: Environment): Promise<Ports> {
  const clock = systemClock;
  const logger = createLogger(environment.log_level);
  makeStoreFolder(environment.data_dir);
  const stores = await openStores(environment, clock, logger);
  const secret = await masterSecret(environment, stores.records);
  return {
    environment,
    clock,
    ids: systemIds,
    logger,
    ...stores,
    smsSender: smsAdapter(environment, clock),
    keyIssuer: new HmacKeyIssuer(secret),
    subjectKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access log subjects', 32)),
    requestHashKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access request hashes', 32)),
    pullSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access pull secrets', 32)),
    operatorSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access operator secrets', 32)),
  };
}

type Stores = Pick<Ports, 'embedded'> & Log & Documents;
type Log = Pick<Ports, 'eventStore' | 'presence'>;
type Documents = Pick<Ports, 'records' | 'views' | 'presence'>;

/** Both stores on servers, or both embedded. Several processes may work at once on servers only. */
async function openStores(environment: Environment, clock: Clock, logger: Logger): Promise<Stores> {
  const onServers = isOnServers(environment);
  const stores = onServers
    ? await openServers(environment, clock, logger)
    : await openEmbedded(environment, clock, logger);
  await keepStreamPrefix(stores.records, environment.eventstore_stream_prefix);
  return { ...stores, embedded: !onServers };
}

async function openServers(environment: OnServers, clock: Clock, logger: Logger): Promise<Log & Documents> {
  const log = await openEventStoreDb(environment, clock, logger);
  const documents = await openMongoDb(environment.mongodb_url, clock);
  return {
    ...log,
    ...documents,
    presence: presenceOfAll([log, documents].flatMap(({ presence }) => presence ?? [])),
  };
}

/** The log and the records share one database and its group commit. The views have a file of their own. */
async function openEmbedded(
  { data_dir, eventstore_stream_prefix: prefix }: Environment,
  clock: Clock,
  logger: Logger,
): Promise<Log & Documents> {
  const hooks = {
    onLost: (error: Error) => {
      logger.error({ error }, error.message);
      process.exit(1);
    },
    onFault: (error: unknown) => {
      logger.error({ error }, 'Housekeeping passed by a record that it could not remove.');
    },
  };
  const folder = join(data_dir, STORE_FOLDER);
  const store = await openEmbeddedDatabase({ folder, durable: true, clock, ...hooks });
  return {
    eventStore: new OwnStreams(new EmbeddedEventStore(store), prefix),
    records: new EmbeddedDocumentStore(store, clock),
    views: await openEmbeddedViews(data_dir, clock, hooks),
  };
}

/** The views of `data_dir`. They wait for no file: what a crash takes from them is applied again. */
export async function openEmbeddedViews(
  data_dir: string,
  clock: Clock,
  hooks: Pick<EmbeddedDatabaseOptions, 'onLost' | 'onFault'> = {},
): Promise<EmbeddedDocumentStore> {
  return new EmbeddedDocumentStore(
    await openEmbeddedDatabase({
      folder: join(data_dir, VIEWS_FOLDER),
      durable: false,
      writeBehind: true,
      clock,
      ...hooks,
    }),
    clock,
  );
}

/** The event log on servers. @throws StoreUnavailableError */
export async function openEventStoreDb(environment: OnServers, clock: Clock, logger: Logger): Promise<Log> {
  // The clients of servers are large, and most processes need none.
  const { EventStoreDbEventStore, installClientRejectionHandler, waitUntilReachable } =
    await import('./log/eventstoredb/index.js');
  const { eventstore_url, eventstore_stream_prefix: prefix, eventstore_insecure_allowed } = environment;
  const log = (line: string) => logger.warn({}, line);
  const store = new EventStoreDbEventStore({
    url: eventstore_url,
    allowInsecure: eventstore_insecure_allowed,
    streamPrefix: prefix,
    log,
    clock,
  });
  const remove = installClientRejectionHandler(log);
  try {
    await waitUntilReachable(store, clock);
  } catch (error) {
    remove();
    await store.close();
    throw error;
  }
  return { eventStore: new OwnStreams(store, prefix), presence: store };
}

/** Records and views on MongoDB. @throws StoreUnavailableError */
export async function openMongoDb(url: string, clock: Clock): Promise<Documents> {
  const { MongoDbConnection } = await import('./documents/mongodb/mongodb-connection.js');
  const { MongoDbDocumentStore } = await import('./documents/mongodb/mongodb-document-store.js');
  const connection = await MongoDbConnection.awaited(url, clock);
  const records = new MongoDbDocumentStore(connection, { clock, prefix: RECORDS_PREFIX });
  return {
    records,
    views: new MongoDbDocumentStore(connection, { clock, prefix: VIEWS_PREFIX, joinsReplacements: true }),
    presence: connection.presence,
  };
}
