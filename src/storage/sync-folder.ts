import { open } from 'node:fs/promises';

/** Makes durable which files stand in a folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
