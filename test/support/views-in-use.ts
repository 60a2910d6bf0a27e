import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { VIEWS_FOLDER } from '../../src/adapters.js';

/** The folder of the views of `data_dir`. Throws where there are others beside it: nothing may be left of those. */
export async function viewsInUse(data_dir: string): Promise<string> {
  const folder = join(data_dir, VIEWS_FOLDER);
  const names = await readdir(folder);
  if (names.length !== 1) throw new Error(`Expected one generation of views, found: ${names.join(', ')}`);
  return join(folder, names[0]!);
}
