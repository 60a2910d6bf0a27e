import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.js';
import { isSystemError } from './system-error.js';
import { writeDurably } from './write-durably.js';

/** The secret in a file, without white space at its ends; undefined if there is no such file. */
export async function readSecret(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * The secret in a file. If there is no file, it makes a secret and stores it durably, readable by its owner alone.
 * Processes that do this at once get the same secret. If root makes the file, it belongs to the owner of the folder, who
 * runs the service.
 */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = await readSecret(path);
  if (kept !== undefined) return kept;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeDurably(draft, `${make()}\n`);
    await giveToFolderOwner(draft);
    // A link is atomic, and only one process succeeds: an interrupted start leaves no half of a secret.
    await link(draft, path);
    await syncFolder(dirname(path));
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readSecret(path);
  if (made === undefined) throw new Error(`The secret in ${path} cannot be read.`);
  return made;
}

async function giveToFolderOwner(path: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(dirname(path));
  await chown(path, uid, gid);
}
