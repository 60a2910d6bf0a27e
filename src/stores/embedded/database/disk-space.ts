import { statfsSync } from 'node:fs';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';

/** Bytes that stay free on the disk, for a stop and a start of the service. */
const HEADROOM_BYTES = 16_777_216;

/**
 * Refuses a write if the disk may be too small for it. A write that fails in lmdb may end the process: lmdb overruns its
 * buffer for the error text (`last_error` in its mdb.c).
 * @throws StoreUnavailableError
 */
export function assertSpace(folder: string, bytes = 0): void {
  const free = freeBytes(folder);
  if (free >= HEADROOM_BYTES + bytes) return;
  throw new StoreUnavailableError(`The disk has too little free space: ${folder}.`, false);
}

/** Infinity if the system does not know. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
