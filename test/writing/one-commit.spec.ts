import type { DocumentWrite } from '../../src/documents/document-store.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { StoreUnavailableError } from '../../src/storage/store.errors.js';
import type { CommandReservation } from '../../src/writing/write-context.js';
import { command, count, CounterProjection, writing } from '../support/counter-world.js';
import { ManualClock } from '../support/manual-clock.js';
import { streamWriterOn } from '../support/stream-writer.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder.js';

const A = 'counter-a';
const NOTES = { name: 'notes', indexes: {} };

let folder: TemporaryFolder;
let store: Awaited<ReturnType<typeof open>>;

async function open() {
  const clock = new ManualClock();
  const commits = { count: 0, fail: false };
  const interceptCommit = (commit: () => Promise<void>): Promise<void> => {
    commits.count += 1;
    return commits.fail ? Promise.reject(new StoreUnavailableError('The disk is full.', false)) : commit();
  };
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: true, clock, interceptCommit });
  const log = new EmbeddedEventStore(database);
  const records = new EmbeddedDocumentStore(database, clock);
  const notes = await records.collection(NOTES);
  commits.count = 0;
  const insert = (_id: string): DocumentWrite => ({
    kind: 'insert',
    collection: NOTES.name,
    document: { _id },
  });
  const told: boolean[] = [];
  const reservation: CommandReservation = {
    reserve: async () => void (await records.write([insert('reservation')])),
    wrote: (isInLog) => void told.push(isInLog),
  };
  const writer = streamWriterOn(log, clock, { records });
  return {
    commits,
    told,
    write: (by: number) =>
      writer.write(
        writing(new CounterProjection()),
        [{ stream: A, command: count(by), names: insert('account') }],
        { ...command(), reservation },
      ),
    stored: async () => {
      const found = await notes.getMany(['reservation', 'account']);
      return [...found.map((note) => note?._id), (await log.readStream(A)).length];
    },
    close: () => Promise.all([log.close(), records.close()]),
  };
}

beforeEach(async () => {
  folder = await temporaryFolder();
  store = await open();
});
afterEach(async () => {
  store.commits.fail = false;
  await store.close();
  await folder.remove();
});

describe('the events of a write, its reservation and the records that its events name', () => {
  it('become durable in one commit', async () => {
    await store.write(1);
    expect([store.commits.count, store.told]).toEqual([1, [true]]);
    expect(await store.stored()).toEqual(['reservation', 'account', 1]);
  });

  it('are all absent after a commit that failed', async () => {
    store.commits.fail = true;
    await expect(store.write(1)).rejects.toThrow('The disk is full.');
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });

  it('are not asked for where there is nothing to append', async () => {
    await store.write(0);
    expect([store.commits.count, store.told]).toEqual([0, [false]]);
    expect(await store.stored()).toEqual([undefined, undefined, 0]);
  });
});
