import { join } from 'node:path';
import { systemClock } from '../../src/config/clock.js';
import { EmbeddedDocumentStore } from '../../src/documents/embedded/embedded-document-store.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';
import { startTestApplication } from './support/test-application.js';
import type { TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The pipeline on the embedded store, as one process of the service has it. */
async function start() {
  const options = { folder: join(folder.path, 'store'), durable: true, clock: systemClock };
  const database = await openEmbeddedDatabase(options);
  const records = new EmbeddedDocumentStore(database, systemClock);
  const app = await startTestApplication({
    records,
    embedded: true,
  });
  return {
    ...app,
    async stop() {
      await app.close();
      await records.close();
    },
  };
}

describe('on the embedded store', () => {
  it('an answer outlives the process that gave it', async () => {
    const first = await start();
    const answer = await first.put('k1');
    await first.stop();
    const second = await start();
    const replayed = await second.put('k1');
    expect([replayed.text, replayed.headers['idempotency-replayed']]).toEqual([answer.text, 'true']);
    expect(second.work.runs).toHaveLength(0);
    await second.stop();
  });

  it('a request that the process did not finish is recovered by the next one at once', async () => {
    const first = await start();
    let release: () => void = () => undefined;
    first.work.gate = new Promise((resolve) => (release = resolve));
    const cutOff = first.put('k1').then((answer) => answer.status);
    await waitUntil(() => first.work.runs.length > 0);
    // The store closes under the running handler: its answer is never kept, as after a crash.
    await first.records.close();
    release();
    expect(await cutOff).toBe(503);
    await first.close();

    const second = await start();
    expect((await second.put('k1')).status).toBe(201);
    expect(second.work.runs).toMatchObject([
      { recovering: true, command_id: first.work.runs[0]?.command_id },
    ]);
    await second.stop();
  });

  it('many requests at once under one key run once', async () => {
    const app = await start();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.put('k1').then(({ text }) => text)),
    );
    expect(new Set(answers).size).toBe(1);
    expect(app.work.runs).toHaveLength(1);
    await app.stop();
  });
});
