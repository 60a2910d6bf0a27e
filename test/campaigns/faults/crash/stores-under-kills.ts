import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../../src/config/clock.js';
import { openEmbeddedDatabase } from '../../../../src/storage/embedded-database.js';
import { ownStreams } from '../../../support/own-streams.js';
import { EmbeddedEventStore } from '../../../../src/log/embedded/embedded-event-store.js';
import type { EventStore } from '../../../../src/log/event-store.js';
import { EventStoreDbEventStore } from '../../../../src/log/eventstoredb/index.js';
import { STORE_FOLDER, VIEWS_FOLDER, VIEWS_PREFIX } from '../../../../src/adapters.js';
import { dropCollections } from '../../../e2e-servers/server-stores.js';
import { EventStoreDbDouble } from '../../../support/eventstoredb-double/index.js';
import { freePort, startStandIn } from '../../../support/mongo-server.js';
import type { Breakage } from '../service-under-kills.js';

/** What a service that is killed keeps its data in. */
export interface StoresUnderKills {
  readonly environment: Readonly<Record<string, string>>;
  /** What else breaks than the service. */
  readonly breakages: readonly Breakage[];
  /** As in `KillOptions`. */
  readonly patience?: number;
  /** Opens the log while no service runs. */
  openLog(): Promise<EventStore>;
  /** Throws the views away while no service runs. */
  dropViews(): Promise<void>;
  close(): Promise<void>;
}

export function embeddedUnderKills(folder: string): StoresUnderKills {
  const store = { folder: join(folder, STORE_FOLDER), durable: true, clock: systemClock, readOnly: true };
  return {
    environment: {},
    breakages: [],
    openLog: async () => ownStreams(new EmbeddedEventStore(await openEmbeddedDatabase(store))),
    dropViews: () => rm(join(folder, VIEWS_FOLDER), { recursive: true, force: true }),
    close: () => Promise.resolve(),
  };
}

const DATABASE = 'crash';
const ANSWERS_LOST = 5;
/** Longer than a killed process's reservations stand: otherwise the next is killed before it may execute them. */
const PATIENCE_OF_KILLS = 45_000;
/** So long an event store waits for the append after which it dies; there may be none. */
const PATIENCE = 5_000;

/** The double of EventStoreDB and the stand-in for MongoDB, which end, lose answers and come back. */
export async function serversUnderKills(folder: string): Promise<StoresUnderKills> {
  const port = await freePort();
  const storage = join(folder, 'mongodb');
  let mongo = await startStandIn(storage, port);
  const double = await EventStoreDbDouble.start();
  const { url } = mongo;
  const dieAfterStoring = async () => {
    const before = double.killed;
    double.faults.killAfterStoring = 1;
    for (const until = Date.now() + PATIENCE; double.killed === before && Date.now() < until;) await pause(5);
    if (double.killed === before) await double.kill();
    double.faults.killAfterStoring = 0;
    await double.restart();
  };
  const restartEvents = async () => {
    await double.kill();
    await double.restart();
  };
  const loseAnswers = () => Promise.resolve(void (double.faults.loseAnswers += ANSWERS_LOST));
  const restartDocuments = async () => {
    await mongo.stop();
    mongo = await startStandIn(storage, port);
  };
  return {
    environment: {
      EVENTSTORE_URL: double.url(),
      MONGODB_URL: `${url}/${DATABASE}`,
      KEY_MASTER_SECRET: 'a master secret for runs of kills, long enough',
    },
    patience: PATIENCE_OF_KILLS,
    breakages: [restartEvents, dieAfterStoring, loseAnswers, restartDocuments],
    openLog: () => {
      const options = { url: double.url(), clock: systemClock };
      return Promise.resolve(ownStreams(new EventStoreDbEventStore(options)));
    },
    dropViews: () => dropCollections(url, DATABASE, VIEWS_PREFIX),
    async close() {
      await double.close();
      await mongo.stop();
    },
  };
}
