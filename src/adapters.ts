import { hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from './config/clock.js';
import { systemClock } from './config/clock.js';
import type { Environment } from './config/environment.js';
import { systemIds, type Ids } from './config/ids.js';
import { createLogger, type Logger } from './config/logger.js';
import type { DocumentStore } from './documents/document-store.js';
import { ReplaceableDocumentStore } from './documents/replaceable-document-store.js';
import type { SharedGenerations } from './documents/mongodb/shared-generations.js';
import { keepStreamPrefix } from './documents/stream-prefix-record.js';
import type { StoreReplacement } from './documents/replacement.js';
import {
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
  openEmbeddedDatabase,
} from './storage/embedded-database.js';
import { EmbeddedDocumentStore } from './documents/embedded/embedded-document-store.js';
import { EmbeddedReplacement } from './documents/embedded/embedded-replacement.js';
import { Generations } from './documents/embedded/generations.js';
import { recordsCommitWith } from './storage/records-commit.js';
import { presenceOfAll, type StorePresence } from './storage/server-presence.js';
import { makeStoreFolder } from './storage/store-folder.js';
import { EmbeddedEventStore } from './log/embedded/embedded-event-store.js';
import type { EventStore } from './log/event-store.js';
import { OwnStreams } from './log/own-streams.js';
import { type IdempotencySettings, mongoDbRateLimiters, type RateLimiterFactory } from './http/index.js';
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
  /** Makes other views beside these and puts them in their place; absent where that is not possible. */
  readonly viewsReplacement?: StoreReplacement;
  /** Views that other processes serve from as well. */
  readonly sharedViews?: SharedGenerations;
  readonly smsSender: SmsSender;
  readonly keyIssuer: KeyIssuer;
  /** Under which log lines name people and addresses; made up where absent. */
  readonly subjectKey?: Buffer;
  /** Under which the credentials of pull sources are kept; made up where absent. */
  readonly pullSecretsKey?: Buffer;
  /** The network where absent. */
  readonly pullHttp?: PullHttp;
  /** That of real passwords where absent. */
  readonly passwordCost?: PasswordCost;
  /** In memory where absent, and in the records what counts for longer. */
  readonly rateLimiters?: RateLimiterFactory;
  readonly idempotency: IdempotencySettings;
  /** Of the stores that are on servers; absent where none is. */
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
    pullSecretsKey: Buffer.from(hkdfSync('sha256', secret, '', 'storage-access pull secrets', 32)),
  };
}

type Stores = Pick<Ports, 'idempotency' | 'presence'> & Log & Documents;
type Log = Pick<Ports, 'eventStore' | 'presence'>;
type Documents = Pick<
  Ports,
  'records' | 'views' | 'viewsReplacement' | 'sharedViews' | 'rateLimiters' | 'presence'
>;

/**
 * The stores that the environment names: servers where there are addresses, embedded ones otherwise. Only where both are
 * servers may several processes work at once: an embedded store has one writer.
 */
async function openStores(environment: Environment, clock: Clock, logger: Logger): Promise<Stores> {
  const { eventstore_url, mongodb_url, eventstore_stream_prefix: prefix } = environment;
  const embedded = new EmbeddedStores(environment.data_dir, prefix, clock, logger);
  const log: Log =
    eventstore_url === undefined
      ? { eventStore: await embedded.log() }
      : await openEventStoreDb(environment, clock, logger);
  const documents =
    mongodb_url === undefined ? await embedded.documents() : await openMongoDb(mongodb_url, clock);
  await keepStreamPrefix(documents.records, prefix);
  const servers = eventstore_url !== undefined && mongodb_url !== undefined;
  const presence = presenceOfAll([log, documents].flatMap(({ presence }) => presence ?? []));
  const idempotency = { singleProcess: !servers, recordsCommitWith: recordsCommitWith(environment) };
  return { ...log, ...documents, presence, idempotency };
}

/** The log and the records share one database and its group commit; the views have a file of their own. */
class EmbeddedStores {
  #store: Promise<EmbeddedDatabase> | undefined;
  readonly #hooks = {
    onLost: (error: Error) => {
      this.logger.error({ error }, error.message);
      process.exit(1);
    },
    onFault: (error: unknown) => {
      this.logger.error({ error }, 'Housekeeping passed by a record that it could not remove.');
    },
  };

  constructor(
    private readonly data_dir: string,
    private readonly prefix: string,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async log(): Promise<EventStore> {
    return new OwnStreams(new EmbeddedEventStore(await this.#open()), this.prefix);
  }

  async documents(): Promise<Documents> {
    const { clock } = this;
    const store = await this.#open();
    const generations = viewGenerations(store, this.data_dir);
    const openViews = (folder: string) => openEmbeddedViews(folder, clock, this.#hooks);
    const views = new ReplaceableDocumentStore(await openViews(generations.current()));
    // What a rebuild that was cut off has left, on whichever side of its end.
    await generations.removeOthers().catch((error: unknown) => {
      this.logger.warn({ error }, 'Old views could not be removed.');
    });
    return {
      records: new EmbeddedDocumentStore(store, clock),
      views,
      viewsReplacement: new EmbeddedReplacement(generations, openViews, views),
    };
  }

  #open(): Promise<EmbeddedDatabase> {
    const folder = join(this.data_dir, STORE_FOLDER);
    this.#store ??= openEmbeddedDatabase({ folder, durable: true, clock: this.clock, ...this.#hooks });
    return this.#store;
  }
}

/** The views of `data_dir`, of which `store`, its log and records, says which generation is in use. */
export function viewGenerations(store: EmbeddedDatabase, data_dir: string): Generations {
  return new Generations(store, join(data_dir, VIEWS_FOLDER));
}

/** Views wait for no file: what a crash takes from them is applied again. */
export async function openEmbeddedViews(
  folder: string,
  clock: Clock,
  hooks: Pick<EmbeddedDatabaseOptions, 'onLost' | 'onFault'> = {},
): Promise<EmbeddedDocumentStore> {
  return new EmbeddedDocumentStore(
    await openEmbeddedDatabase({ folder, durable: false, writeBehind: true, clock, ...hooks }),
    clock,
  );
}

/** The event log on servers. @throws StoreUnavailableError */
export async function openEventStoreDb(environment: Environment, clock: Clock, logger: Logger): Promise<Log> {
  // The clients of servers are large, and most processes need none.
  const { EventStoreDbEventStore, installClientRejectionHandler, waitUntilReachable } =
    await import('./log/eventstoredb/index.js');
  const { eventstore_url, eventstore_stream_prefix: prefix, eventstore_insecure_allowed } = environment;
  const log = (line: string) => logger.warn({}, line);
  const store = new EventStoreDbEventStore({
    url: eventstore_url!,
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
export async function openMongoDb(
  url: string,
  clock: Clock,
): Promise<Documents & Required<Pick<Ports, 'sharedViews'>>> {
  const { MongoDbConnection } = await import('./documents/mongodb/mongodb-connection.js');
  const { MongoDbDocumentStore } = await import('./documents/mongodb/mongodb-document-store.js');
  const { SharedGenerations } = await import('./documents/mongodb/shared-generations.js');
  const connection = await MongoDbConnection.awaited(url, clock);
  const records = new MongoDbDocumentStore(connection, { clock, prefix: RECORDS_PREFIX });
  const sharedViews = await SharedGenerations.of(connection, clock, VIEWS_PREFIX, records);
  return {
    records,
    views: sharedViews.views,
    viewsReplacement: sharedViews.replacement,
    sharedViews,
    rateLimiters: await mongoDbRateLimiters(connection),
    presence: connection.presence,
  };
}
