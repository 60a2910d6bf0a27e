import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { HUNG } from '../../support/wait-until.js';
import { eventStoreFacts } from './eventstoredb-facts.js';

/** A busy machine takes seconds for the twenty megabytes of an append, which neither side is to give up meanwhile. */
const PATIENCE = ['defaultDeadline', 'keepAliveInterval', 'keepAliveTimeout'].map(
  (name) => `${name}=${HUNG}`,
);

eventStoreFacts('the double', async () => {
  const double = await EventStoreDbDouble.start({ longestDeadline: HUNG });
  return { url: double.url(...PATIENCE), close: () => double.close() };
});
