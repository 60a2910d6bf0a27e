import { mkdir, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../../src/storage/embedded-database.js';
import { EmbeddedReplacement } from '../../../src/documents/embedded/embedded-replacement.js';
import { Generations } from '../../../src/documents/embedded/generations.js';
import { openEmbeddedViews } from '../../../src/adapters.js';
import { ManualClock } from '../../support/manual-clock.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

let folder: TemporaryFolder;
let views: string;
let database: EmbeddedDatabase;
let generations: Generations;
let replacement: EmbeddedReplacement;

beforeEach(async () => {
  folder = await temporaryFolder();
  views = join(folder.path, 'views');
  const clock = new ManualClock();
  database = await openEmbeddedDatabase({ folder: join(folder.path, 'store'), durable: false, clock });
  generations = new Generations(database, views);
  replacement = new EmbeddedReplacement(generations, (path) => openEmbeddedViews(path, clock));
  await mkdir(generations.current(), { recursive: true });
});
afterEach(async () => {
  await database.close();
  await folder.remove();
});

const left = async () => (await readdir(views)).sort();

describe('a generation of views', () => {
  it('that takes over is the one that every start finds, with all that was written, and the only one', async () => {
    const next = await replacement.open();
    await next.store.collection({ name: 'samples', indexes: {} });
    await next.store.write([{ kind: 'put', collection: 'samples', document: { _id: 'a' } }]);
    expect([generations.current(), await left()]).toEqual([join(views, '1'), ['1', '2']]);
    await (
      await next.takeOver()
    )();
    expect([generations.current(), await left()]).toEqual([join(views, '2'), ['2']]);
    const options = {
      folder: generations.current(),
      durable: true,
      clock: new ManualClock(),
      readOnly: true,
    };
    const reader = await openEmbeddedDatabase(options);
    expect([...reader.table('documents').entries({ start: '\0', end: '\xff' })]).toHaveLength(1);
    await reader.close();
    await next.store.close();
  });

  it('that is discarded leaves nothing', async () => {
    await (await replacement.open()).discard();
    expect([generations.current(), await left()]).toEqual([join(views, '1'), ['1']]);
  });

  it('begins with nothing of one that was cut off', async () => {
    await mkdir(join(views, '2'));
    await writeFile(join(views, '2', 'data.mdb'), 'the beginning of something');
    const next = await replacement.open();
    expect(await next.store.ping()).toBeUndefined();
    await next.discard();
  });

  it('that a database which was lost does not know is the one in use, and is followed', async () => {
    await rename(join(views, '1'), join(views, '3'));
    await generations.removeOthers();
    expect([generations.current(), await left()]).toEqual([join(views, '3'), ['3']]);
    const next = await replacement.open();
    await (
      await next.takeOver()
    )();
    expect([generations.current(), await left()]).toEqual([join(views, '4'), ['4']]);
    await next.store.close();
  });

  it('takes over where none was there', async () => {
    await rm(views, { recursive: true });
    const next = await replacement.open();
    await (
      await next.takeOver()
    )();
    expect([generations.current(), await left()]).toEqual([join(views, '2'), ['2']]);
    await next.store.close();
  });

  it('is not begun where the disk has no room for as much as there is', async () => {
    const file = join(generations.current(), 'data.mdb');
    await writeFile(file, '');
    await truncate(file, 8_000_000_000_000);
    await expect(replacement.open()).rejects.toThrow('too little space');
    expect(await left()).toEqual(['1']);
  });
});

describe('what a start removes', () => {
  it.each([
    ['before the new ones took over', 0, ['1', '20261121', 'lost+found']],
    ['after it', 1, ['2', '20261121', 'lost+found']],
  ])('of a rebuild that was cut off %s', async (_, advances, kept) => {
    for (const name of ['2', '20261121', 'lost+found']) await mkdir(join(views, name));
    await writeFile(join(views, '20261121', 'notes'), 'not ours');
    // As stores lay before there were generations.
    for (const name of ['data.mdb', 'data.mdb-lock']) await writeFile(join(views, name), '');
    if (advances > 0) await generations.advanceTo(join(views, '2'));
    await generations.removeOthers();
    expect(await left()).toEqual(kept);
  });
});
