import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailableError } from './store.errors.js';
import { isSystemError } from './system-error.js';

/**
 * Makes a folder and those above it that are missing, for nobody else's eyes: the records hold personal details.
 * Node's own recursive way goes round for ever where the system makes no folder in one that is there, as in /proc.
 * @throws StoreUnavailableError
 */
export function makeStoreFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.unshift(path);
  try {
    for (const path of missing) makeOne(path);
  } catch (error) {
    const text = `The folder ${folder} cannot be made: ${(error as Error).message}.`;
    throw new StoreUnavailableError(text, false, { cause: error });
  }
}

function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isSystemError(error, 'EEXIST')) throw error;
  }
}

/** An error of the opening as it shall be told; those that name their cause themselves are left as they are. */
export function openingError(folder: string, error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  const isOurs = code === 'store_unavailable' || String(code).startsWith('embedded_store_');
  if (isOurs) return error;
  const text = `The store in ${folder} cannot be opened: ${message}.`;
  return new StoreUnavailableError(text, false, { cause: error });
}
