import { open, stat } from 'node:fs/promises';
import { isSystemError } from '#kernel/system-error.js';
import { type AuditCheckpoint, isSigned } from './checkpoint.js';
import { chunksOf, type Line, placedLinesOf } from './lines.js';
import type { SignedHeads } from './signed-heads.js';
import { rootOf, type StreamHead, type StreamHeads } from './stream-heads.js';

/** The file of checkpoints has a wrong form, or cannot be written now. The message is one line. */
export class CheckpointFileError extends Error {
  readonly code = 'checkpoint_file';

  constructor(fault: string) {
    super(`The file of checkpoints ${fault}.`);
  }
}

/** The content of a file of checkpoints. */
export interface CheckpointsInFile {
  /** The last line of each stream. */
  readonly heads: StreamHeads;
  readonly last: AuditCheckpoint | undefined;
  /** Bytes at the end from an interrupted write. They are ignored. */
  readonly unfinished: number;
}

/**
 * The file of audit checkpoints. Before each checkpoint it has a line `["stream",revision,"hash"]` for every stream that
 * changed since the one before. So the file alone contains the head of every stream. Lines without their checkpoint are
 * ignored, and the next append replaces them. Only the leader appends, and only if the file is as it last read it.
 */
export class CheckpointFile {
  #size = 0;
  /** Bytes of the file up to the end of its last checkpoint. */
  #checkpointEnd = 0;
  /** True if its last checkpoint ends with a line feed. */
  #hasLineFeed = true;

  constructor(private readonly path: string) {}

  /** Reads the file and adds its content to what `signed` expects. A missing file is empty. @throws CheckpointFileError */
  async read(signed: SignedHeads): Promise<CheckpointsInFile> {
    const reader = new FileReader(signed);
    await reader.readAll(this.path).catch(undefinedIfMissing);
    const { heads, last, size, checkpointEnd, hasLineFeed } = reader;
    this.#size = size;
    this.#checkpointEnd = checkpointEnd;
    this.#hasLineFeed = hasLineFeed;
    // A file may contain checkpoints without lines of streams.
    if (last !== undefined && heads.size > 0 && (await rootOf(heads)) !== last.root) {
      signed.report(`The stream lines in the file differ from those signed at ${last.at}.`);
    }
    return { heads, last, unfinished: size - checkpointEnd };
  }

  /** True if the file has the size of the last read or write. */
  async isAsRead(): Promise<boolean> {
    return (await this.#sizeNow()) === this.#size;
  }

  /**
   * Appends lines durably, the checkpoint last. Removes an unfinished end before.
   * @returns the bytes that it removed
   * @throws CheckpointFileError if another process has changed the file
   */
  async append(lines: Iterable<string>): Promise<number> {
    const file = await open(this.path, 'a', 0o600);
    try {
      if ((await file.stat()).size !== this.#size) {
        throw new CheckpointFileError('was written by another process since it was read');
      }
      const unfinished = this.#size - this.#checkpointEnd;
      if (unfinished > 0) await file.truncate(this.#checkpointEnd);
      if (!this.#hasLineFeed) await file.appendFile('\n');
      for await (const chunk of chunksOf(lines)) await file.appendFile(chunk);
      await file.sync();
      this.#size = (await file.stat()).size;
      this.#checkpointEnd = this.#size;
      this.#hasLineFeed = true;
      return unfinished;
    } finally {
      await file.close();
    }
  }

  async #sizeNow(): Promise<number> {
    return (await stat(this.path).catch(undefinedIfMissing))?.size ?? 0;
  }
}

/** The message about an unfinished end of the file. */
export function unfinishedText(bytes: number): string {
  return `The last ${bytes} bytes of the file of checkpoints do not count. Their checkpoint was not written to its end.`;
}

/** Reads a file that must contain a checkpoint, and adds it to what `signed` expects. @throws CheckpointFileError */
export async function addCheckpoints(
  signed: SignedHeads,
  path: string,
): Promise<CheckpointsInFile & { readonly last: AuditCheckpoint }> {
  // `stat` throws for a missing file; `read` does not.
  await stat(path);
  const { last, ...found } = await new CheckpointFile(path).read(signed);
  if (last === undefined) throw new CheckpointFileError('holds no checkpoint');
  return { ...found, last };
}

/** One pass over the lines of a file. */
class FileReader {
  readonly heads = new Map<string, StreamHead>();
  last: AuditCheckpoint | undefined;
  /** Bytes that were read. */
  size = 0;
  /** Bytes up to the end of the last checkpoint. */
  checkpointEnd = 0;
  /** True if the last checkpoint ends with a line feed. */
  hasLineFeed = true;
  /** Heads before the next checkpoint. */
  readonly #newHeads = new Map<string, StreamHead>();

  constructor(private readonly signed: SignedHeads) {}

  /** @throws CheckpointFileError */
  async readAll(path: string): Promise<void> {
    for await (const line of placedLinesOf(path)) {
      this.size = line.end;
      this.#readLine(line);
    }
  }

  #readLine(line: Line): void {
    const entry = readEntry(line.text);
    if (entry === undefined) {
      if (!this.#isUnfinished(line)) throw foreignLine();
      return;
    }
    if (Array.isArray(entry)) {
      const [stream, revision, hash] = entry;
      this.#newHeads.set(stream, { revision, hash });
      return;
    }
    this.signed.addSignature(`the checkpoint of ${entry.at}`, entry, isSigned(entry));
    for (const [stream, head] of this.#newHeads) {
      this.heads.set(stream, head);
      this.signed.addHead(stream, head);
    }
    this.#newHeads.clear();
    if (this.heads.size === 0) this.signed.addRoot(entry);
    this.last = entry;
    this.checkpointEnd = line.end;
    this.hasLineFeed = line.isEnded;
  }

  /** True for an unfinished last line, unless the file has no line of ours: then it is a foreign file. */
  #isUnfinished({ text, isEnded }: Line): boolean {
    const mayBegin = ['["', '{"at":"'].some((start) => start.startsWith(text.slice(0, start.length)));
    return !isEnded && (mayBegin || this.last !== undefined || this.#newHeads.size > 0);
  }
}

type Entry = AuditCheckpoint | [stream: string, revision: number, hash: string];

/** A line of the file. Undefined if it is unfinished. @throws CheckpointFileError */
function readEntry(line: string): Entry | undefined {
  let entry: Entry | null;
  try {
    entry = JSON.parse(line) as Entry | null;
  } catch {
    return undefined;
  }
  if (Array.isArray(entry) ? entry.length === 3 : typeof entry?.root === 'string') return entry!;
  throw foreignLine();
}

function foreignLine(): CheckpointFileError {
  return new CheckpointFileError('has a line that is neither a checkpoint nor the head of a stream');
}

function undefinedIfMissing(error: unknown): undefined {
  if (!isSystemError(error, 'ENOENT')) throw error as Error;
}
