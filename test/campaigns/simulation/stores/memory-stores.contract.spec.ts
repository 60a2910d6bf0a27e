import {
  documentStoreContract,
  type DocumentStoreFixture,
} from '../../../contract/document-store.contract.js';
import { eventStoreContract, type EventStoreFixture } from '../../../contract/event-store.contract.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { MemoryDocumentStore } from './memory-document-store.js';
import { MemoryEventStore } from './memory-event-store.js';

function makeEventStore(): Promise<EventStoreFixture> {
  let store = new MemoryEventStore();
  return Promise.resolve({
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = new MemoryEventStore(store.data);
    },
    close: () => store.close(),
  });
}

function makeDocumentStore(): Promise<DocumentStoreFixture> {
  const clock = new ManualClock();
  let store = new MemoryDocumentStore(clock);
  return Promise.resolve({
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      store = new MemoryDocumentStore(clock, store.data);
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    close: () => store.close(),
  });
}

eventStoreContract('memory', makeEventStore, ['durable']);
documentStoreContract('memory', makeDocumentStore, ['durable', 'clock']);
