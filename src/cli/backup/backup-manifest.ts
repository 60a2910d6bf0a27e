import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile as copy, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '#kernel/sync-folder.js';
import { isSignedBy, type SigningKey } from '#eventsourcing/proof/signing-key.js';
import { isSystemError } from '#kernel/system-error.js';
import { writeDurably } from '#kernel/write-durably.js';
import { CommandError } from '../output.js';

/** A file of a backup. */
export interface BackedUpFile {
  /** Path in the folder, with slashes. One of {@link BACKUP_FILES}. */
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Describes a backup. It is written last, so an interrupted backup has none. */
export interface BackupManifest {
  readonly format: 1;
  readonly service_version: string;
  readonly made_at: string;
  readonly stream_prefix: string;
  readonly streams: number;
  readonly events: number;
  readonly records: number;
  readonly files: readonly BackedUpFile[];
  /** Ed25519 over all members before this one, as JSON without spaces; base64. */
  readonly signature: string;
}

export const STORE_FILE = 'store/data.mdb';
/** The master secret, if the service has made one. The signing key is never in a backup: it could sign a changed backup. */
export const SECRET_FILE = 'key-master-secret';
const BACKUP_FILES: readonly string[] = [STORE_FILE, SECRET_FILE];

const MANIFEST = 'manifest.json';

/** Signs and writes the manifest. The other files must be durable before. */
export async function writeManifest(
  folder: string,
  statement: Omit<BackupManifest, 'signature'>,
  key: SigningKey,
): Promise<void> {
  const manifest: BackupManifest = { ...statement, signature: key.sign(JSON.stringify(statement)) };
  await writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  await syncFolder(folder);
}

/**
 * @param key the public key, base64 of its SPKI form
 * @throws CommandError if it is missing, of an unknown format, or not signed with the key
 */
export async function readManifest(folder: string, key: string): Promise<BackupManifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), 'utf8');
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
    throw new CommandError(
      `There is no ${MANIFEST} in ${folder}. This is not a complete backup. Name a folder that storage-access backup has finished.`,
    );
  }
  const manifest = parsed(text);
  if (!isManifest(manifest))
    throw new CommandError(
      `The ${MANIFEST} in ${folder} is damaged, or from a later version of this program. Use that version, or another backup.`,
    );
  const { signature, ...statement } = manifest;
  if (isSignedBy(key, JSON.stringify(statement), signature)) return manifest;
  throw new CommandError(
    `The ${MANIFEST} in ${folder} is not signed with ${key}. It was changed, or another service made the backup. Check --key, or use another backup.`,
  );
}

/** Copies a file durably, readable only by its owner. The target must not exist. */
export async function copyFile(from: string, to: string): Promise<void> {
  await copy(from, to, constants.COPYFILE_EXCL);
  await finishFile(to);
}

/** Makes a file durable, and readable only by its owner. */
export async function finishFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Measures and hashes a file. @param progress gets the number of bytes read so far */
export async function measured(
  path: string,
  name: string,
  progress?: (bytes: number) => void,
): Promise<BackedUpFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    progress?.(bytes);
  }
  return { name, bytes, sha256: hash.digest('hex') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is BackupManifest {
  const { format, stream_prefix, files, signature } = (value ?? {}) as Partial<BackupManifest>;
  return (
    format === 1 &&
    typeof stream_prefix === 'string' &&
    typeof signature === 'string' &&
    Array.isArray(files) &&
    files.every(isFile)
  );
}

/** Only known names are allowed, because another name could lead out of the folder. */
function isFile(value: unknown): boolean {
  const { name, bytes, sha256 } = (value ?? {}) as Partial<BackedUpFile>;
  return (
    name !== undefined &&
    BACKUP_FILES.includes(name) &&
    typeof bytes === 'number' &&
    typeof sha256 === 'string'
  );
}
