import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CONTRACTS, describedService } from './contracts.js';

/** `npm run contracts`: writes what is made of the service's own description. */
async function main(): Promise<void> {
  const { document } = await describedService();
  for (const { file, make } of CONTRACTS) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await make(document));
    console.log(file);
  }
}

void main();
