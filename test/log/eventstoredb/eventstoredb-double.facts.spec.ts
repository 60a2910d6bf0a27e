import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { eventStoreFacts } from './eventstoredb-facts.js';

eventStoreFacts('the double', async () => {
  const double = await EventStoreDbDouble.start();
  return { url: double.url(), close: () => double.close() };
});
