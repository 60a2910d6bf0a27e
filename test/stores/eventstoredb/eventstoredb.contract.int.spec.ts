import { reopenable } from '../../eventsourcing/contract/contract-case.js';
import {
  eventStoreContract,
  type EventStoreFixture,
} from '../../eventsourcing/contract/event-store.contract.js';
import { eventStoreFacts } from './eventstoredb-facts.js';
import { storeOn } from './fixture.js';

const url = process.env['TEST_EVENTSTORE_URL'];

function makeFixture(): Promise<EventStoreFixture> {
  return reopenable(() => storeOn(url!, { timings: {} }).store);
}

if (url === undefined || url === '') {
  describe('event store contract: EventStoreDB (real server)', () => {
    test('not run: TEST_EVENTSTORE_URL is not set', () => {
      process.stdout.write(
        'EventStoreDB contract on a real server not run: TEST_EVENTSTORE_URL is not set\n',
      );
      expect(process.env['TEST_EVENTSTORE_URL'] ?? '').toBe('');
    });
  });
} else {
  eventStoreContract('EventStoreDB (real server)', makeFixture, ['durable']);
  eventStoreFacts('EventStoreDB (real server)', () =>
    Promise.resolve({ url, close: () => Promise.resolve() }),
  );
}
