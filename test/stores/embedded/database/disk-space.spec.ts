import fs from 'node:fs';
import { systemClock } from '#kernel/clock.js';
import { openEmbeddedDatabase, type EmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { temporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.js';

const MEBIBYTE = 1_048_576;

let folder: TemporaryFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  jest.restoreAllMocks();
  await folder.remove();
});

function open(): Promise<EmbeddedDatabase> {
  return openEmbeddedDatabase({ folder: folder.path, durable: true, clock: systemClock });
}

/** The system's report about the disk. */
function leave(free: number): void {
  const told = { bavail: Math.floor(free / 4_096), bsize: 4_096 } as fs.StatsFs;
  jest.spyOn(fs, 'statfsSync').mockReturnValue(told);
}

function put(database: EmbeddedDatabase, key: string, text: string): Promise<void> {
  return database.enqueue((group) => group.put(database.table('meta'), key, text));
}

describe('a commit that the disk may have no room for', () => {
  test('is refused before lmdb sees it, and goes through when there is room', async () => {
    const database = await open();
    await put(database, 'a', 'before');
    leave(10 * MEBIBYTE);
    const refusal = { code: 'store_unavailable', outcomeUnknown: false };
    await expect(put(database, 'a', 'meanwhile')).rejects.toMatchObject(refusal);
    expect(database.table('meta').get('a')).toBe('before');
    leave(20 * MEBIBYTE);
    await expect(put(database, 'large', 'x'.repeat(4 * MEBIBYTE))).rejects.toMatchObject(refusal);
    await put(database, 'a', 'after');
    expect(database.table('meta').get('a')).toBe('after');
    await database.close();
  });

  test('keeps a store from being opened for writing, with one clear line', async () => {
    leave(10 * MEBIBYTE);
    await expect(open()).rejects.toThrow(`The disk has too little free space: ${folder.path}.`);
  });

  test('is tried where the system does not tell', async () => {
    const database = await open();
    jest.spyOn(fs, 'statfsSync').mockImplementation(() => {
      throw new Error('ENOSYS');
    });
    await put(database, 'a', 'text');
    expect(database.table('meta').get('a')).toBe('text');
    await database.close();
  });
});
