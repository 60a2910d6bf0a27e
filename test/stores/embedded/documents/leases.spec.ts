import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('a lease on an embedded store ends with the process that took it', async () => {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const open = async () =>
    new EmbeddedDocumentStore(
      await openEmbeddedDatabase({ folder: folder.path, durable: true, clock }),
      clock,
    );
  const former = await open();
  await former.takeLease('rebuild', 'one', 60_000);
  await former.close();
  const store = await open();
  expect(await store.takeLease('rebuild', 'two', 60_000)).toMatchObject({ owner: 'two' });
  await store.close();
  await folder.remove();
});
