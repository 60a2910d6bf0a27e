// The double of EventStoreDB as a program of its own: says on which port it listens, and ends on SIGTERM. What is measured on it
// speaks to the server itself: nobody cuts or freezes its connections here.
require('../swc-register.cjs');
const { EventStoreDbDouble } = require('./index.ts');

void EventStoreDbDouble.start().then((double) => {
  process.once('SIGTERM', () => process.exit(0));
  process.stdout.write(`The double of EventStoreDB is listening on port ${double.portBehindFront}.\n`);
});
