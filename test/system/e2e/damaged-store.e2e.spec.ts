import { copyFile, mkdir, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { STORE_FOLDER } from '#app/adapters.js';
import { embeddedStores, Service } from '../../support/service.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { ServiceProcess } from '../../support/service-process.js';

let original: TemporaryFolder;
let copy: TemporaryFolder;

beforeAll(async () => {
  original = await temporaryFolder();
  const database = await openEmbeddedDatabase({ folder: original.path, durable: true, clock: systemClock });
  const text = 'x'.repeat(500);
  await database.enqueue((group) => {
    for (let key = 0; key < 500; key += 1) group.put(database.table('meta'), `key ${key}`, text);
  });
  await database.close();
});

beforeEach(async () => {
  copy = await temporaryFolder();
  await mkdir(join(copy.path, STORE_FOLDER));
});

afterEach(() => copy.remove());
afterAll(() => original.remove());

async function damaged(bytes: number): Promise<string> {
  const folder = join(copy.path, STORE_FOLDER);
  const file = join(folder, 'data.mdb');
  await copyFile(join(original.path, 'data.mdb'), file);
  const { size } = await stat(file);
  await truncate(file, bytes < 0 ? size + bytes : bytes);
  return folder;
}

describe('a store whose file was cut off', () => {
  test.each([100, 8_192, 40_000, -65_536])('at %d bytes is refused with its name', async (bytes) => {
    const folder = await damaged(bytes);
    const opening = openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
    await expect(opening).rejects.toMatchObject({
      code: 'embedded_store_damaged',
      message: `The store in ${folder} is damaged: its file is too short. Restore a backup.`,
    });
  });

  test('is what the service says in one line when it does not start', async () => {
    const folder = await damaged(40_000);
    const starting = ServiceProcess.start(copy.path);
    await expect(starting).rejects.toThrow(
      `The service ended with 1: The service did not start: The store in ${folder} is damaged: its file is too short. Restore a backup.`,
    );
  });
});

describe('a file of something else', () => {
  test('is refused with its name', async () => {
    const folder = join(copy.path, STORE_FOLDER);
    await writeFile(join(folder, 'data.mdb'), 'Dear diary, '.repeat(1_000));
    const opening = openEmbeddedDatabase({ folder, durable: true, clock: systemClock });
    await expect(opening).rejects.toThrow(
      `The store in ${folder} has format unknown; this program reads format 1.`,
    );
  });
});

describe('a log that was lost or put back beside its views', () => {
  test('is what the service says in one line before it ends', async () => {
    const service = await Service.start({ stores: embeddedStores });
    await service.company();
    // A start looks at every event at once, and keeps how far it came.
    await service.restart();
    await service.close(async () => {
      await truncate(join(service.path, STORE_FOLDER, 'data.mdb'), 0);
      const started = await ServiceProcess.spawn(service.path);
      expect(await started.ended).toBe(1);
      expect(started.complaints).toEqual([
        expect.stringMatching(
          /^The service did not start: The views hold event \d+ of \S+, but the log does not\. .* storage-access views rebuild\.$/,
        ),
      ]);
    });
  });
});

describe('a store that is whole', () => {
  test('opens', async () => {
    const service = await Service.start();
    await expect(service.restart()).resolves.toBeUndefined();
    await service.close();
  });
});
