import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { clientTypes } from './client-types.js';
import { describedService } from './described-service.js';

/** `npm run client:types`. @param sources names what the types are made of */
async function main(file: string, sources: string): Promise<void> {
  const { document } = await describedService();
  const draft = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(draft, await clientTypes(document, sources));
  // Another process never reads half a file.
  await rename(draft, file);
}

const [file, sources] = process.argv.slice(2);
void main(file!, sources!);
