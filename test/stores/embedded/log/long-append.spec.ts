import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { EmbeddedEventStore } from '#stores/embedded/log/embedded-event-store.js';
import { appended, appendOf } from '../../../eventsourcing/contract/event-store.samples.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { type TemporaryFolder, temporaryFolder } from '../../../support/temporary-folder.js';

/** More than the store reads without a pause. */
const LONG = 1_000;

let folder: TemporaryFolder;
let store: EmbeddedEventStore;

beforeAll(async () => {
  folder = await temporaryFolder();
  store = new EmbeddedEventStore(
    await openEmbeddedDatabase({ folder: folder.path, durable: false, clock: new ManualClock() }),
  );
  await appended(store, appendOf('long', 'no_stream', LONG));
});

afterAll(async () => {
  await store.close();
  await folder.remove();
});

/** How often a read decodes a stored append. */
async function decodings(read: () => Promise<readonly RecordedEvent[]>): Promise<number> {
  const parse = jest.spyOn(JSON, 'parse');
  await expect(read()).resolves.toHaveLength(LONG);
  const { length } = parse.mock.calls.filter(([text]) => text.startsWith('["long",'));
  parse.mockRestore();
  return length;
}

describe('a long append', () => {
  it('is decoded once to read its stream', async () => {
    expect(await decodings(() => store.readStream('long'))).toBe(1);
  });

  it('is decoded once to read its stream backwards', async () => {
    expect(await decodings(() => store.readStream('long', { backwards: true }))).toBe(1);
  });

  it('is decoded once to read the log', async () => {
    expect(await decodings(() => store.readAll({ limit: LONG }))).toBe(1);
  });

  it('is decoded once to read the log backwards', async () => {
    expect(await decodings(() => store.readAll({ limit: LONG, backwards: true }))).toBe(1);
  });
});
