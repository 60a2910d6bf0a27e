import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { systemClock } from '#kernel/clock.js';
import { type Environment, isOnServers, type OnServers } from '#kernel/environment/environment.js';
import { systemIds, type Ids } from '#kernel/ids.js';
import { createLogger, type Logger } from '#kernel/logger.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { keepStreamPrefix } from '#eventsourcing/documents/stream-prefix-record.js';
import {
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from '#stores/embedded/database/embedded-database.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { presenceOfAll, type StorePresence } from '#kernel/server-presence.js';
import { makeStoreFolder } from '#stores/embedded/database/store-folder.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { OwnStreams } from '#eventsourcing/log/own-streams.js';
import { HmacKeyIssuer, type KeyIssuer, readMasterSecret } from '#domain/locks/index.js';
import type { PasswordCost } from '#domain/operators/index.js';
import type { WebhookHttp } from '#domain/webhooks/index.js';
import type { MailSender } from '#domain/summaries/index.js';
import type { PullHttp } from '#pull/index.js';
import { smsAdapter, type SmsSender } from '#domain/tenants/index.js';

/** All adapters to the outside world. A simulation passes its own. */
export interface Ports {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly eventStore: EventStore;
  readonly records: DocumentStore;
  readonly views: DocumentStore;
  readonly smsSender: SmsSender;
  /** Default: the mail server that the environment names. */
  readonly mailSender?: MailSender;
  readonly keyIssuer: KeyIssuer;
  /** Key of the hashes of people and addresses in log lines. Default: random. */
  readonly subjectKey?: Buffer;
  /** Key of the hashes of requests with an `Idempotency-Key`, so that a hash reveals no secret. Default: zeros. */
  readonly requestHashKey?: KeyObject;
  /** Encrypts the stored credentials of pull sources. Default: random. */
  readonly pullSecretsKey?: Buffer;
  readonly operatorSecretsKey?: Buffer;
  /** Makes the codes of invitations to share a unit. Default: zeros. */
  readonly shareCodesKey?: Buffer;
  /** Encrypts the stored secrets of webhooks. Default: random. */
  readonly webhookSecretsKey?: Buffer;
  /** Signs the links that stop mails. Default: random. */
  readonly summaryLinksKey?: Buffer;
  /** Default: the network. */
  readonly pullHttp?: PullHttp;
  /** Default: the network. */
  readonly webhookHttp?: WebhookHttp;
  /** Default: the cost for real passwords. */
  readonly passwordCost?: PasswordCost;
  /** The stores are embedded: no other process works on them. */
  readonly embedded: boolean;
  /** Absent for embedded stores. */
  readonly presence?: StorePresence;
  /** Milliseconds after which a silent leader loses its lease. Default: 10 s. */
  readonly lease_milliseconds?: number;
}

/** Folders in `data_dir`. One has the log and the records, the other the views, which may be deleted. */
export const STORE_FOLDER = 'store';
export const VIEWS_FOLDER = 'views';
/** Prefixes of the names of MongoDB collections. */
export const RECORDS_PREFIX = 'records_';
export const VIEWS_PREFIX = 'views_';

/**
 * Opens the ports that the environment names.
 * @throws EmbeddedStoreLockedError if another process uses the same folder, StoreUnavailableError,
 * OtherMasterSecretError
 */
export async function openPorts(environment: Environment): Promise<Ports> {
  const clock = systemClock;
  const logger = createLogger(environment.log_level);
  makeStoreFolder(environment.data_dir);
  const stores = await openStores(environment, clock, logger);
  const secret = await readMasterSecret(environment, stores.records);
  return {
    environment,
    clock,
    ids: systemIds,
    logger,
    ...stores,
    smsSender: smsAdapter(environment, clock),
    keyIssuer: new HmacKeyIssuer(secret),
    subjectKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access log subjects', 32)),
    requestHashKey: createSecretKey(
      Buffer.from(hkdfSync('sha256', secret, '', 'storage-access request hashes', 32)),
    ),
    pullSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access pull secrets', 32)),
    operatorSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access operator secrets', 32)),
    summaryLinksKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access summary links', 32)),
    shareCodesKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access share codes', 32)),
    webhookSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access webhook secrets', 32)),
  };
}

type Stores = Pick<Ports, 'embedded'> & Log & Documents;
type Log = Pick<Ports, 'eventStore' | 'presence'>;
type Documents = Pick<Ports, 'records' | 'views' | 'presence'>;

/** All stores are on servers, or all are embedded. Only servers allow several processes. */
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

/** The log and the records share one database and its group commit. The views have their own file. */
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
      logger.error({ error }, 'Housekeeping skipped a record that it could not remove.');
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

/** Opens the views without durable writes: after a crash, the catch-up applies the lost events again. */
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
    await import('#stores/eventstoredb/index.js');
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
  const { MongoDbConnection } = await import('#stores/mongodb/mongodb-connection.js');
  const { MongoDbDocumentStore } = await import('#stores/mongodb/mongodb-document-store.js');
  const connection = await MongoDbConnection.awaited(url, clock);
  const records = new MongoDbDocumentStore(connection, { clock, prefix: RECORDS_PREFIX });
  return {
    records,
    views: new MongoDbDocumentStore(connection, { clock, prefix: VIEWS_PREFIX, joinsReplacements: true }),
    presence: connection.presence,
  };
}
