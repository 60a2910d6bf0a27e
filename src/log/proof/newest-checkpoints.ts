import { open } from 'node:fs/promises';
import { type Checkpoint, isSigned } from './checkpoint.js';

/** A checkpoint as it stands in a file, and whether its signature fits it. */
export interface FiledCheckpoint extends Checkpoint {
  readonly is_signed: boolean;
}

/** Bytes at the end of the file that are looked through, however long it is. */
const LOOKED_AT = 262_144;

/**
 * The newest checkpoints of a file, newest first: those that stand near its end, at most so many. None where there is no
 * file. @throws Error of the file system
 */
export async function newestCheckpoints(path: string, most: number): Promise<FiledCheckpoint[]> {
  const lines = (await endOf(path)).split('\n');
  const found: FiledCheckpoint[] = [];
  for (const line of lines.reverse()) {
    const checkpoint = checkpointIn(line);
    if (checkpoint !== undefined) found.push({ ...checkpoint, is_signed: isSigned(checkpoint) });
    if (found.length === most) break;
  }
  return found;
}

async function endOf(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  });
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const length = Math.min(size, LOOKED_AT);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Undefined for where a stream stood, and for a line that was cut off. */
function checkpointIn(line: string): Checkpoint | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const found = JSON.parse(line) as Partial<Checkpoint>;
    return typeof found.root === 'string' && typeof found.at === 'string' ? (found as Checkpoint) : undefined;
  } catch {
    return undefined;
  }
}
