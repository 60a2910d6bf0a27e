import { type FileHandle, open } from 'node:fs/promises';
import { isSystemError } from '#kernel/system-error.js';
import { type AuditCheckpoint, isSigned } from './checkpoint.js';

export interface FiledCheckpoint extends AuditCheckpoint {
  /** True if its signature is right. */
  readonly is_signed: boolean;
}

/** Checkpoints of a file, newest first. */
export interface CheckpointPage {
  readonly checkpoints: readonly FiledCheckpoint[];
  /** The byte where the older ones end. Null if there are none. */
  readonly next: number | null;
}

/** Bytes of one read. */
const BLOCK_BYTES = 262_144;
/** Most bytes that are read for a page. So a page may be short although there are older checkpoints. */
const MOST_BYTES = 64 * BLOCK_BYTES;

interface Range {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly before?: number | undefined;
}

/** The newest checkpoints of a file, read from its end; none if there is no file. @throws Error of the file system */
export async function newestCheckpoints(path: string, { limit, before }: Range): Promise<CheckpointPage> {
  const file = await open(path).catch((error: unknown) => {
    if (!isSystemError(error, 'ENOENT')) throw error;
  });
  if (file === undefined) return { checkpoints: [], next: null };
  try {
    const { size } = await file.stat();
    return await pageBefore(file, Math.min(size, before ?? size), limit);
  } finally {
    await file.close();
  }
}

async function pageBefore(file: FileHandle, end: number, limit: number): Promise<CheckpointPage> {
  const checkpoints: FiledCheckpoint[] = [];
  for await (const { start, text } of linesBefore(file, end)) {
    const checkpoint = checkpointIn(text);
    if (checkpoint !== undefined) checkpoints.push({ ...checkpoint, is_signed: isSigned(checkpoint) });
    if (start > 0 && (checkpoints.length === limit || end - start >= MOST_BYTES))
      return { checkpoints, next: start };
  }
  return { checkpoints, next: null };
}

/** The lines before the byte `end`, the last one first, each with the byte where it begins. */
async function* linesBefore(file: FileHandle, end: number): AsyncGenerator<{ start: number; text: string }> {
  let unread = end;
  let text: Buffer = Buffer.alloc(0);
  while (unread > 0 && text.length < MOST_BYTES) {
    const length = Math.min(BLOCK_BYTES, unread);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, unread - length);
    unread -= length;
    text = Buffer.concat([buffer, text]);
    for (let feed = endOfLine(text); feed >= 0; feed = endOfLine(text)) {
      yield { start: unread + feed + 1, text: text.toString('utf8', feed + 1) };
      text = text.subarray(0, feed + 1);
    }
  }
  if (unread === 0) yield { start: 0, text: text.toString('utf8') };
}

/** The line feed before the last line. The last line may end with a line feed itself. */
function endOfLine(text: Buffer): number {
  return text.length < 2 ? -1 : text.lastIndexOf('\n', text.length - 2);
}

/** Undefined for the line of a stream, and for an unfinished line. */
function checkpointIn(line: string): AuditCheckpoint | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const found = JSON.parse(line) as Partial<AuditCheckpoint>;
    return typeof found.root === 'string' && typeof found.at === 'string'
      ? (found as AuditCheckpoint)
      : undefined;
  } catch {
    return undefined;
  }
}
