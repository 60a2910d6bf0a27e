import { open } from 'node:fs/promises';

/** Makes a file, where there is none, for nobody else's eyes; what it holds is on the disk when this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
