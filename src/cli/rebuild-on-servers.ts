import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import { systemIds } from '../config/ids.js';
import { silentLogger } from '../config/logger.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';
import { isEmbeddedStoreLockedError } from '../storage/writer-lock.js';
import { demandStreamPrefix } from '../documents/stream-prefix-record.js';
import type { EventStore } from '../log/event-store.js';
import { Leadership, VIEWS_LEASE } from '../projecting/leadership.js';
import { RebuildOrders } from '../projecting/rebuild/index.js';
import { openMongoDb } from '../adapters.js';
import { fillAndReplace, fillViews } from './fill-views.js';
import { CommandError, type Output, progressOn } from './output.js';
import { closeStores, commandPorts, openAlone, logOn, openServerLog } from './stores.js';

const ASKED_EVERY = 500;
/** Milliseconds without a word, after which whoever took an order is thought to be gone. */
const LONGEST_SILENCE = 60_000;

/**
 * Makes the views on MongoDB anew beside those that stand, which they then replace for every process: by the service that
 * keeps them where one runs, otherwise here.
 * @returns how many events they hold
 */
export async function rebuildOnServers(
  environment: Environment,
  mongodb_url: string,
  output: Output,
): Promise<number> {
  const documents = await openMongoDb(mongodb_url, systemClock);
  try {
    await demandStreamPrefix(documents.records, environment.eventstore_stream_prefix);
    const events = await leading(documents.views, async ({ fence }) => {
      const eventStore = await openLogAlone(environment);
      if (eventStore === undefined) return undefined;
      try {
        const next = await documents.viewsReplacement!.open();
        const { records } = documents;
        const ports = commandPorts(environment, { records, eventStore, views: next.store });
        return await fillAndReplace(next, () => fillViews(ports, output, () => next.announce(), fence));
      } finally {
        await eventStore.close();
      }
    });
    return events ?? (await orderRebuild(new RebuildOrders(documents.records), output));
  } finally {
    await closeStores(documents);
  }
}

/** Undefined where a service works on the log, and so keeps the views. */
async function openLogAlone(environment: Environment): Promise<EventStore | undefined> {
  const { data_dir, eventstore_url } = environment;
  if (eventstore_url !== undefined) return openServerLog(environment);
  try {
    return logOn(await openAlone(data_dir), environment);
  } catch (error) {
    if (!isEmbeddedStoreLockedError(error)) throw error;
    return undefined;
  }
}

/** Has the process that keeps the views rebuild them, and waits until all serve from the new ones. */
async function orderRebuild(orders: RebuildOrders, output: Output): Promise<number> {
  const name = systemIds.ulid();
  await orders.place(name);
  output.stderr.write('The service that keeps the views rebuilds them and goes on serving meanwhile.\n');
  const progress = progressOn(output, 'applied');
  let heard = { version: 0, at: systemClock.now() };
  for (;;) {
    await sleep(ASKED_EVERY);
    const order = await orders.read();
    if (order?.order !== name)
      throw new CommandError('Another command has ordered a rebuild after this one.');
    if (order.state === 'done') return order.events;
    if (order.state === 'failed')
      throw new CommandError(`The service did not rebuild the views: ${order.message}`);
    if (order.version !== heard.version) heard = { version: order.version, at: systemClock.now() };
    else if (systemClock.now() - heard.at > LONGEST_SILENCE) {
      throw new CommandError(
        'The service that keeps the views has gone silent: the views are the old or the new ones, whole.',
      );
    }
    if (order.state === 'running') progress(order.events, order.share);
  }
}

/** Does the work of whoever keeps the views, if nobody does at present; undefined where somebody does. */
async function leading<T>(views: DocumentStore, work: (lease: Lease) => Promise<T>): Promise<T | undefined> {
  let working: Promise<T> | undefined;
  const leadership = new Leadership(
    {
      leases: views,
      clock: systemClock,
      logger: silentLogger,
      name: VIEWS_LEASE,
      owner: systemIds.ulid(),
    },
    {
      lead: async (lease) => void (await (working = work(lease))),
      // Nothing ends it early. Where the lease is lost, whoever has it changes the pointer, and what is made here is not put in place.
      retire: async () => void (await Promise.allSettled([working])),
    },
  );
  try {
    return (await leadership.start()) ? await working : undefined;
  } finally {
    await leadership.stop();
  }
}
