import { EmbeddedDocumentStore } from '../../../src/documents/embedded/embedded-document-store.js';
import { openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { documentStoreContract, type DocumentStoreFixture } from '../../contract/document-store.contract.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function fixtureMaker(durable: boolean): () => Promise<DocumentStoreFixture> {
  return async () => {
    const folder = await temporaryFolder();
    const clock = new ManualClock();
    const open = async () =>
      new EmbeddedDocumentStore(await openEmbeddedDatabase({ folder: folder.path, durable, clock }), clock);
    let store = await open();
    return {
      get store() {
        return store;
      },
      async reopen() {
        await store.close();
        store = await open();
      },
      advance: (milliseconds) => clock.advance(milliseconds),
      async close() {
        await store.close();
        await folder.remove();
        expect(clock.pending).toBe(0);
      },
    };
  };
}

documentStoreContract('embedded records', fixtureMaker(true), ['durable', 'clock']);
documentStoreContract('embedded views', fixtureMaker(false), ['durable', 'clock']);
