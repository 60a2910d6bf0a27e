import { eventStoreContract, type EventStoreFixture } from '../../contract/event-store.contract.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { storeOn } from './fixture.js';

async function makeFixture(): Promise<EventStoreFixture> {
  const double = await EventStoreDbDouble.start();
  const open = () => storeOn(double.url(), { timings: {} }).store;
  let store = open();
  return {
    get store() {
      return store;
    },
    async reopen() {
      await store.close();
      await double.kill();
      await double.restart();
      store = open();
    },
    async close() {
      await store.close();
      await double.close();
    },
  };
}

eventStoreContract('EventStoreDB (double)', makeFixture, ['durable']);
