import { statfsSync } from 'node:fs';
import { StoreUnavailableError } from './store.errors.js';

/** What is left free for whatever else a commit writes, and for bringing the service down and up again. */
const HEADROOM = 16_777_216;

/**
 * Refuses a write that the disk may have no room for. lmdb must not find out by itself: telling of a failed write, it
 * overruns a buffer of its own (`last_error` in its mdb.c), which may end the process.
 * @throws StoreUnavailableError
 */
export function demandSpace(folder: string, bytes = 0): void {
  const free = freeBytes(folder);
  if (free >= HEADROOM + bytes) return;
  throw new StoreUnavailableError(`There is too little space left on the disk of ${folder}.`, false);
}

/** Where the system does not tell, lmdb must find out after all. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
