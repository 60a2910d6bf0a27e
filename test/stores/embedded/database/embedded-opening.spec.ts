import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Lmdb from 'lmdb';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';

/** The module as the service has it. */
const lmdb = jest.requireActual<typeof Lmdb>('lmdb');

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await folder.remove();
});

async function refusalOf(path: string): Promise<string> {
  try {
    const database = await openEmbeddedDatabase({ folder: path, durable: true, clock: systemClock });
    await database.close();
    return 'none';
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) return `another error: ${String(error)}`;
    return `${error.outcomeUnknown} ${error.message}`;
  }
}

test('a store is one tree of data and one of fences: a commit copies the way to each key in each tree', async () => {
  const database = await openEmbeddedDatabase({ folder: folder.path, durable: true, clock: systemClock });
  await database.close();
  const root = lmdb.open({ path: join(folder.path, 'data.mdb'), noSubdir: true, readOnly: true });
  expect([...root.getKeys()]).toEqual(['data', 'fences']);
  await root.close();
});

describe('a store that cannot be opened', () => {
  test('for want of space says so in one line that names the folder', async () => {
    jest.spyOn(lmdb, 'open').mockImplementation(() => {
      throw Object.assign(new Error('No space left on device'), { code: 28 });
    });
    expect(await refusalOf(folder.path)).toBe(
      `false The store in ${folder.path} cannot be opened: No space left on device.`,
    );
    jest.restoreAllMocks();
    expect(await refusalOf(folder.path)).toBe('none');
  });

  test('as a file lies in the way of its folder', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(await refusalOf(join(file, 'store'))).toMatch(
      new RegExp(`^false The folder ${join(file, 'store')} cannot be made: .+$`),
    );
  });

  const onLinux = process.platform === 'linux' ? test : test.skip;
  onLinux.each(['/proc/x', '/proc/x/store'])('as the system makes no folder %s', async (path) => {
    expect(await refusalOf(path)).toMatch(new RegExp(`^false The folder ${path} cannot be made: .+$`));
  });

  test('as another user owns the folder, and says which user must', async () => {
    const parent = join(folder.path, 'other');
    mkdirSync(parent, { mode: 0o500 });
    const user = process.getuid?.() === 0 ? 1000 : process.getuid!();
    // Root may write everywhere.
    if (process.getuid?.() === 0) {
      chmodSync(folder.path, 0o755);
      process.seteuid!(user);
    }
    try {
      expect(await refusalOf(join(parent, 'store'))).toBe(
        `false The service may not write to ${parent}: it runs as user ${user}, and that folder has another owner. ` +
          `Run "chown -R ${user} ${parent}" as root, or mount a folder that user ${user} owns.`,
      );
    } finally {
      if (process.getuid?.() === 0) process.seteuid!(0);
    }
  });

  test('is made with the folders above it where that can be', async () => {
    expect(await refusalOf(join(folder.path, 'one', 'two', 'three'))).toBe('none');
  });
});
