import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Lmdb from 'lmdb';
import { systemClock } from '../../src/config/clock.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { isStoreUnavailableError } from '../../src/storage/store.errors.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

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
    if (!isStoreUnavailableError(error)) return `another error: ${String(error)}`;
    return `${error.outcomeUnknown} ${error.message}`;
  }
}

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

  test('is made with the folders above it where that can be', async () => {
    expect(await refusalOf(join(folder.path, 'one', 'two', 'three'))).toBe('none');
  });
});
