import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { reopenable } from '../../../eventsourcing/contract/contract-case.js';
import {
  eventStoreContract,
  type EventStoreFixture,
} from '../../../eventsourcing/contract/event-store.contract.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

async function makeFixture(): Promise<EventStoreFixture> {
  const folder = await temporaryFolder();
  const open = async () =>
    new EmbeddedEventStore(
      await openEmbeddedDatabase({ folder: folder.path, durable: true, clock: new ManualClock() }),
    );
  return reopenable(open, () => folder.remove());
}

eventStoreContract('embedded', makeFixture, ['durable']);
