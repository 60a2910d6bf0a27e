import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const NOTES = { name: 'notes', indexes: { by_place: { fields: ['place'] } } };

it('a long page or a scan by ids keeps nothing in memory, so that a walk through thousands pushes nothing out', async () => {
  const folder = await temporaryFolder();
  const clock = new ManualClock();
  const open = async () =>
    new EmbeddedDocumentStore(
      await openEmbeddedDatabase({ folder: folder.path, durable: false, clock }),
      clock,
    );
  const before = await open();
  await before.collection(NOTES);
  const document = { _id: 'one', place: 'here' };
  await before.write([{ kind: 'insert', collection: NOTES.name, document }]);
  await before.close();
  const store = await open();
  const notes = await store.collection(NOTES);
  const read = async (limit: number) => (await notes.find('by_place', { equals: ['here'], limit })).documents;
  const long = [await read(500), await read(500)].flat();
  expect(long).toEqual([document, document]);
  expect(long[0]).not.toBe(long[1]);
  const scanned = [
    await notes.getMany(['one'], { isScan: true }),
    await notes.getMany(['one'], { isScan: true }),
  ].flat();
  expect(scanned).toEqual([document, document]);
  expect(scanned[0]).not.toBe(scanned[1]);
  const [short] = await read(499);
  expect([await notes.get('one'), ...(await read(500))]).toEqual([short, short]);
  expect(await notes.get('one')).toBe(short);
  await store.close();
  await folder.remove();
});
