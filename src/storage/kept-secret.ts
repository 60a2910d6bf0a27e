import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.js';
import { isSystemError } from './system-error.js';
import { writeDurably } from './write-durably.js';

/** The secret that a file keeps, without white space at its ends; undefined where there is no such file. */
export async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * The secret that a file keeps. Where there is no such file it is made, with its folder, for nobody else's eyes: durably,
 * whole or not at all, and the same for all who make it at once.
 */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = await readSecret(path);
  if (kept !== undefined) return kept;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeDurably(draft, `${make()}\n`);
    // A link appears whole or not at all, and only one process makes it: a cut-off start leaves no half secret.
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`The secret in ${path} cannot be read back.`);
  return made;
}
