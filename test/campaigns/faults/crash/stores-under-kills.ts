import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { ownStreams } from '../../../support/own-streams.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { STORE_FOLDER, VIEWS_FOLDER, VIEWS_PREFIX } from '#app/adapters.js';
import { dropCollections } from '../../../system/servers/server-stores.js';
import { SECRET_FILE } from '#cli/backup/backup-manifest.js';
import { runHere } from '../../../support/command-process.js';
import { EventStoreDbDouble } from '../../../support/eventstoredb-double/index.js';
import { freePort } from '../../../support/free-port.js';
import { startStandIn } from '../../../support/mongo-server.js';
import type { Breakage } from '../service-under-kills.js';

/** The stores of a service that is killed. */
export interface StoresUnderKills {
  readonly environment: Readonly<Record<string, string>>;
  /** Faults beside the kills. */
  readonly breakages: readonly Breakage[];
  /** As in `KillOptions`. */
  readonly patience?: number;
  /** As in `KillOptions`. */
  readonly whileDown?: () => Promise<void>;
  /** Opens the log while no service runs. */
  openLog(): Promise<EventStore>;
  /** Throws the views away while no service runs. */
  dropViews(): Promise<void>;
  close(): Promise<void>;
}

/** So many kills come before the service goes on with what was restored from a backup of what the last one left. */
const KILLS_BETWEEN_BACKUPS = 5;

export function embeddedUnderKills(folder: string): StoresUnderKills {
  let kills = 0;
  const store = { folder: join(folder, STORE_FOLDER), durable: true, clock: systemClock, readOnly: true };
  return {
    environment: {},
    breakages: [],
    whileDown: async () => {
      kills += 1;
      if (kills % KILLS_BETWEEN_BACKUPS === 0) await goOnFromBackup(folder);
    },
    openLog: async () => ownStreams(new EmbeddedEventStore(await openEmbeddedDatabase(store))),
    dropViews: () => rm(join(folder, VIEWS_FOLDER), { recursive: true, force: true }),
    close: () => Promise.resolve(),
  };
}

async function goOnFromBackup(folder: string): Promise<void> {
  const backup = join(folder, 'backup');
  await demandDone(['backup', backup], folder);
  for (const name of [STORE_FOLDER, VIEWS_FOLDER, SECRET_FILE]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
  await demandDone(['restore', backup], folder);
  await rm(backup, { recursive: true });
}

async function demandDone(parameters: readonly string[], DATA_DIR: string): Promise<void> {
  const { status, stderr } = await runHere(parameters, { DATA_DIR });
  if (status !== 0) throw new Error(`${parameters[0]} ended with ${status}: ${stderr}`);
}

const DATABASE = 'crash';
const ANSWERS_LOST = 5;
/** Longer than the lease of a reservation (12 s): the next process must have time to take it. */
const PATIENCE_OF_KILLS = 25_000;
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
    await mongo.kill();
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
