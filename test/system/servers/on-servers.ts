import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithMongo } from '../../support/mongo-server.js';
import { embeddedStores, useStores } from '../../support/service.js';
import { ServerStores } from './server-stores.js';

/**
 * Runs every suite of a folder that knows of no store on the servers: EventStoreDB (`TEST_EVENTSTORE_URL`, else its
 * double) and MongoDB (`TEST_MONGODB_URL`, else its stand-in). Suites that start processes of their own stay out.
 */
export function onServers(folder: string): void {
  describeWithMongo(`on servers: the suites of ${folder}`, () => {
    const stores = new ServerStores();
    useStores(stores);
    for (const suite of suitesOf(join(__dirname, '..', '..', folder))) {
      describe(suite, () => {
        // Registers the suite's own tests within this one.
        jest.requireActual(join(__dirname, '..', '..', folder, suite));
        // Registered last, and so run after the suite has closed its services.
        afterAll(() => stores.clear());
      });
    }
    afterAll(async () => {
      // The next suite of the process finds the same module.
      useStores(embeddedStores);
      await stores.close();
    });
  });
}

function suitesOf(folder: string): string[] {
  return readdirSync(folder).filter(
    (name) =>
      name.endsWith('.e2e.spec.ts') &&
      readFileSync(join(folder, name), 'utf8').includes('support/service.js'),
  );
}
