import type { EventStore } from '#eventsourcing/log/event-store.js';
import { reopenable } from '../../eventsourcing/contract/contract-case.js';
import {
  eventStoreContract,
  type EventStoreFixture,
} from '../../eventsourcing/contract/event-store.contract.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { storeOn } from './fixture.js';

async function makeFixture(): Promise<EventStoreFixture> {
  const double = await EventStoreDbDouble.start();
  const open = async (former?: EventStore) => {
    if (former !== undefined) {
      await double.kill();
      await double.restart();
    }
    return storeOn(double.url(), { timings: {} }).store;
  };
  return reopenable(open, () => double.close());
}

eventStoreContract('EventStoreDB (double)', makeFixture, ['durable']);
