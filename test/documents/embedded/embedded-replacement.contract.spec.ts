import { join } from 'node:path';
import { openEmbeddedViews } from '../../../src/adapters.js';
import { EmbeddedReplacement } from '../../../src/documents/embedded/embedded-replacement.js';
import { Generations } from '../../../src/documents/embedded/generations.js';
import { ReplaceableDocumentStore } from '../../../src/documents/replaceable-document-store.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import type { EmbeddedDocumentStore } from '../../../src/documents/embedded/embedded-document-store.js';
import { storeReplacementContract } from '../../contract/store-replacement.contract.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

storeReplacementContract('replacing an embedded store', async () => {
  const [clock, folder] = [new ManualClock(), await temporaryFolder()];
  const database = await openEmbeddedDatabase({ folder: join(folder.path, 'store'), durable: false, clock });
  const generations = new Generations(database, join(folder.path, 'views'));
  const openViews = (path: string) => openEmbeddedViews(path, clock);
  const inService = new ReplaceableDocumentStore(await openViews(generations.current()));
  const opened: EmbeddedDocumentStore[] = [];
  return {
    inService,
    replacement: new EmbeddedReplacement(generations, openViews, inService),
    passing: (call) => call,
    async started() {
      await inService.close();
      const store = await openViews(generations.current());
      opened.push(store);
      return store;
    },
    async close() {
      for (const store of opened) await store.close();
      await inService.close();
      await database.close();
      await folder.remove();
    },
  };
});
