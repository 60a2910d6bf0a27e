import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import type { EmbeddedDatabase } from '../storage/embedded-database.js';
import { EmbeddedDocumentStore } from '../documents/embedded/embedded-document-store.js';
import { EmbeddedReplacement } from '../documents/embedded/embedded-replacement.js';
import { isEmbeddedStoreLockedError } from '../storage/writer-lock.js';
import { demandStreamPrefix } from '../documents/stream-prefix-record.js';
import type { EventStore } from '../log/event-store.js';
import { openEmbeddedViews, viewGenerations } from '../adapters.js';
import { askForRebuild } from './ask-for-rebuild.js';
import { fillAndReplace, fillViews } from './fill-views.js';
import type { Output } from './output.js';
import { rebuildOnServers } from './rebuild-on-servers.js';
import { commandPorts, logOn, openAlone, openServerLog } from './stores.js';

/**
 * Makes the views anew from the log: those of `DATA_DIR` beside the old ones, which the new ones then replace, by the
 * service where one runs; those on servers where no process serves from them.
 */
export async function rebuildViews(environment: Environment, output: Output): Promise<number> {
  const { mongodb_url } = environment;
  const events =
    mongodb_url === undefined
      ? await rebuildEmbedded(environment, output)
      : await rebuildOnServers(environment, mongodb_url, output);
  output.stdout.write(`ok: the views hold ${events} events\n`);
  return 0;
}

async function rebuildEmbedded(environment: Environment, output: Output): Promise<number> {
  let store: EmbeddedDatabase;
  try {
    store = await openAlone(environment.data_dir);
  } catch (error) {
    if (!isEmbeddedStoreLockedError(error)) throw error;
    return askForRebuild(environment.data_dir, error.pid, output);
  }
  return replaceAlone(store, environment, output);
}

/** The lock on the store keeps every service away. The old views are not even opened: they may be past reading. */
async function replaceAlone(
  store: EmbeddedDatabase,
  environment: Environment,
  output: Output,
): Promise<number> {
  const records = new EmbeddedDocumentStore(store, systemClock);
  try {
    await demandStreamPrefix(records, environment.eventstore_stream_prefix);
    const eventStore = await openLogBeside(store, environment);
    try {
      const openViews = (folder: string) => openEmbeddedViews(folder, systemClock);
      const generations = viewGenerations(store, environment.data_dir);
      const next = await new EmbeddedReplacement(generations, openViews).open();
      const ports = commandPorts(environment, { eventStore, records, views: next.store });
      const events = await fillAndReplace(next, () => fillViews(ports, output, () => next.announce()));
      await next.store.close().catch(() => undefined);
      return events;
    } finally {
      await eventStore.close();
    }
  } finally {
    await records.close();
  }
}

async function openLogBeside(store: EmbeddedDatabase, environment: Environment): Promise<EventStore> {
  return environment.eventstore_url === undefined ? logOn(store, environment) : openServerLog(environment);
}
