import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONTRACTS, EXTRAS } from './contracts.js';
import { describedService } from './described-service.js';

/** `npm run contracts [-- FOLDER]`: writes the committed files, or into a folder those that are not committed. */
async function main(folder: string | undefined): Promise<void> {
  const { document } = await describedService();
  const placed =
    folder === undefined ? CONTRACTS : EXTRAS.map(({ file, make }) => ({ file: join(folder, file), make }));
  for (const { file, make } of placed) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await make(document));
    console.log(file);
  }
}

void main(process.argv[2]);
