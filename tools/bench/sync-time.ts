import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.js';

const TRIES = 50;
const PAGE = Buffer.alloc(8_192, 1);

/** The median time in milliseconds for one small durable write to the disk of the temporary folder. */
export async function syncMilliseconds(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-access-bench-'));
  const file = await open(join(folder, 'sync'), 'w');
  const taken: number[] = [];
  try {
    for (let turn = 0; turn < TRIES; turn += 1) {
      await file.write(PAGE, 0, PAGE.length, turn * PAGE.length);
      const began = performance.now();
      await file.datasync();
      taken.push(performance.now() - began);
    }
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
  return median(taken);
}
