import { chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keptSecret, readSecret } from '#kernel/kept-secret.js';
import { resultsAtOnce } from '../support/barrier.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';

let folder: TemporaryFolder;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

it('is made once, with its folder, even by several at the same time, for nobody else to read', async () => {
  const path = join(folder.path, 'data', 'secret');
  expect(await readSecret(path)).toBeUndefined();
  const tasks = Array.from({ length: 10 }, (_, number) => () => keptSecret(path, () => `secret ${number}`));
  const made = await resultsAtOnce(tasks);
  expect(new Set(made).size).toBe(1);
  expect(await readSecret(path)).toBe(made[0]);
  expect(await readdir(join(folder.path, 'data'))).toEqual(['secret']);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('is the one that stands there already, without white space at its ends', async () => {
  const path = join(folder.path, 'secret');
  await writeFile(path, ' kept\n');
  expect(await keptSecret(path, () => 'another')).toBe('kept');
});

const isRoot = process.geteuid?.() === 0;

it(`belongs to the owner of its folder${isRoot ? ', also if root makes it' : ': not tried as root'}`, async () => {
  const data = join(folder.path, 'data');
  await mkdir(data);
  if (isRoot) await chown(data, 1000, 1000);
  await keptSecret(join(data, 'secret'), () => 'secret');
  expect((await stat(join(data, 'secret'))).uid).toBe((await stat(data)).uid);
});

it('leaves nothing where it cannot be made', async () => {
  const path = join(folder.path, 'secret');
  const fail = () => {
    throw new Error('No randomness.');
  };
  await expect(keptSecret(path, fail)).rejects.toThrow('No randomness.');
  expect(await readdir(folder.path)).toEqual([]);
});
