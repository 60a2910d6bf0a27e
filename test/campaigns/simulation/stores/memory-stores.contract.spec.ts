import { reopenable } from '../../../eventsourcing/contract/contract-case.js';
import {
  documentStoreContract,
  type DocumentStoreFixture,
} from '../../../eventsourcing/contract/document-store.contract.js';
import {
  eventStoreContract,
  type EventStoreFixture,
} from '../../../eventsourcing/contract/event-store.contract.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { MemoryDocumentStore } from './memory-document-store.js';
import { MemoryEventStore } from './memory-event-store.js';

function makeEventStore(): Promise<EventStoreFixture> {
  return reopenable((former?: MemoryEventStore) => new MemoryEventStore(former?.data));
}

async function makeDocumentStore(): Promise<DocumentStoreFixture> {
  const clock = new ManualClock();
  const open = (former?: MemoryDocumentStore) => new MemoryDocumentStore(clock, former?.data);
  const fixture = await reopenable(open);
  return Object.assign(fixture, { advance: clock.advance.bind(clock) });
}

eventStoreContract('memory', makeEventStore, ['durable']);
documentStoreContract('memory', makeDocumentStore, ['durable', 'clock']);
