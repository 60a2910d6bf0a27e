import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { reopenable } from '../../../eventsourcing/contract/contract-case.js';
import {
  documentStoreContract,
  type DocumentStoreFixture,
} from '../../../eventsourcing/contract/document-store.contract.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { flushedAnywhere } from './flushed-anywhere.js';

interface Way {
  readonly durable: boolean;
  readonly writeBehind?: boolean;
}

function fixtureMaker(
  way: Way,
  wrap: (store: EmbeddedDocumentStore) => EmbeddedDocumentStore = (store) => store,
): () => Promise<DocumentStoreFixture> {
  return async () => {
    const folder = await temporaryFolder();
    const clock = new ManualClock();
    const open = async () =>
      wrap(
        new EmbeddedDocumentStore(await openEmbeddedDatabase({ folder: folder.path, clock, ...way }), clock),
      );
    const fixture = await reopenable(open, async () => {
      await folder.remove();
      expect(clock.pending).toBe(0);
    });
    return Object.assign(fixture, { advance: clock.advance.bind(clock) });
  };
}

const behind = { durable: false, writeBehind: true };

documentStoreContract('embedded records', fixtureMaker({ durable: true }), ['durable', 'clock']);
// The clock stands still in most cases, hence nothing is flushed in them.
documentStoreContract('embedded views in memory', fixtureMaker(behind), ['durable', 'clock']);
documentStoreContract('embedded views flushed anywhere', fixtureMaker(behind, flushedAnywhere), [
  'durable',
  'clock',
]);
