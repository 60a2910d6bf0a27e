import { open } from 'node:fs/promises';

/** Makes a new file that only its owner can read. It is on the disk when the promise resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
