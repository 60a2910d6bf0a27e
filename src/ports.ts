import { join } from 'node:path';
import type { Clock } from './config/clock.js';
import { systemClock } from './config/clock.js';
import type { Environment } from './config/environment.js';
import { systemIds, type Ids } from './config/ids.js';
import { createLogger, type Logger } from './config/logger.js';
import type { DocumentStore } from './documents/document-store.js';
import { openEmbeddedDatabase } from './documents/embedded/embedded-database.js';
import { EmbeddedDocumentStore } from './documents/embedded/embedded-document-store.js';
import { EmbeddedEventStore } from './eventing/embedded/embedded-event-store.js';
import type { EventStore } from './eventing/event-store.js';
import type { IdempotencySettings } from './http/index.js';
import { HmacKeyIssuer, type KeyIssuer, masterSecret } from './locks/index.js';
import { OutboxSmsSender, type SmsSender, TwilioSmsSender } from './tenants/index.js';

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
  readonly idempotency: IdempotencySettings;
}

/** Folders of `data_dir`: the log with the records, and the views, which may be deleted. */
export const STORE_FOLDER = 'store';
export const VIEWS_FOLDER = 'views';

/**
 * Opens the ports that the environment names.
 * @throws EmbeddedStoreLockedError where another process works on the same folder, StoreUnavailableError
 */
export async function openPorts(environment: Environment): Promise<Ports> {
  const clock = systemClock;
  const logger = createLogger(environment.log_level);
  const secret = await masterSecret(environment.key_master_secret, environment.data_dir);
  return {
    environment,
    clock,
    ids: systemIds,
    logger,
    ...(await openStores(environment, clock)),
    smsSender: smsSender(environment, clock),
    keyIssuer: new HmacKeyIssuer(secret),
  };
}

type Stores = Pick<Ports, 'eventStore' | 'records' | 'views' | 'idempotency'>;

/** The embedded stores: the log and the records share one group commit, the views have a file of their own. */
async function openStores({ data_dir }: Environment, clock: Clock): Promise<Stores> {
  const store = await openEmbeddedDatabase({ folder: join(data_dir, STORE_FOLDER), durable: true, clock });
  const views = await openEmbeddedDatabase({ folder: join(data_dir, VIEWS_FOLDER), durable: false, clock });
  return {
    eventStore: new EmbeddedEventStore(store),
    records: new EmbeddedDocumentStore(store, clock),
    views: new EmbeddedDocumentStore(views, clock),
    idempotency: { singleProcess: true, commitsInOrder: true },
  };
}

function smsSender({ sms, data_dir }: Environment, clock: Clock): SmsSender {
  if (sms.provider === 'twilio') return new TwilioSmsSender(sms, clock);
  return new OutboxSmsSender(join(data_dir, 'sms-outbox.ndjson'), clock);
}
