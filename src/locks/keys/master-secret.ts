import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const FILE = 'key-master-secret';
const BYTES = 32;

/**
 * The secret that all locks' keys derive from: the configured one, or one that is made once and kept in the data
 * directory. Processes that start at the same time on one directory get the same one.
 */
export async function masterSecret(configured: string | undefined, data_dir: string): Promise<Buffer> {
  if (configured !== undefined) return Buffer.from(configured, 'utf8');
  const path = join(data_dir, FILE);
  return (await read(path)) ?? (await make(path));
}

async function make(path: string): Promise<Buffer> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(BYTES).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  // A link appears whole or not at all, and only one process makes it: a cut-off start leaves no half secret.
  try {
    await link(draft, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const secret = await read(path);
  if (!secret) throw new Error('The master secret cannot be read back.');
  return secret;
}

async function read(path: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  // Going on with a damaged one would give every lock a key that it does not know.
  if (secret.length !== BYTES) throw new Error('The kept master secret is damaged.');
  return secret;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as { code?: unknown }).code === code;
}
