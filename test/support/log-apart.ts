import { join } from 'node:path';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { ownStreams } from './own-streams.js';
import { embeddedStores, type StoresFactory } from './service.js';

/** The documents as ever, and the log where it commits by itself, as it does on EventStoreDB. */
export const logApart: StoresFactory = {
  ...embeddedStores,
  async open(folder, clock) {
    const stores = await embeddedStores.open(folder, clock);
    const log = await openEmbeddedDatabase({ folder: join(folder, 'log'), durable: false, clock });
    return {
      ...stores,
      eventStore: ownStreams(new EmbeddedEventStore(log)),
      idempotency: { singleProcess: true, recordsCommitWith: 'each_other' },
    };
  },
};
