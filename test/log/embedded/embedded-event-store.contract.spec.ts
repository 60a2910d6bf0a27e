import { EmbeddedEventStore } from '../../../src/log/embedded/embedded-event-store.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { eventStoreContract, type EventStoreFixture } from '../../contract/event-store.contract.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function makeFixture(): Promise<EventStoreFixture> {
  const folder = await temporaryFolder();
  const open = async () =>
    new EmbeddedEventStore(
      await openEmbeddedDatabase({ folder: folder.path, durable: true, clock: new ManualClock() }),
    );
  let store = await open();
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = await open();
    },
    async close() {
      await store.close();
      await folder.remove();
    },
  };
}

eventStoreContract('embedded', makeFixture, ['durable']);
