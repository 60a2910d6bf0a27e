import { randomBytes } from 'node:crypto';
import { chown, link, mkdir, readFile, rm, stat } from 'node:fs/promises';
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
 * The secret that a file keeps. If there is none, it is made, with its folder: durable, whole, readable by its owner alone.
 * All who make it at once get the same secret. Made by root, it belongs to the folder's owner, who runs the service.
 */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  const kept = await readSecret(path);
  if (kept !== undefined) return kept;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    await writeDurably(draft, `${make()}\n`);
    await giveToFolderOwner(draft);
    // A link appears whole or not at all, and only one process makes it: a cut-off start leaves no half secret.
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
