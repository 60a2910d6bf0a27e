import { open, stat } from 'node:fs/promises';
import { isSystemError } from '../../storage/system-error.js';
import { type AuditCheckpoint, isSigned } from './checkpoint.js';
import { type Line, placedLinesOf } from './lines.js';
import type { SignedHeads } from './signed-heads.js';
import { rootOf, type StreamHead, type StreamHeads } from './stream-heads.js';

/** A file of checkpoints cannot be read as one, or written now. The message is one line. */
export class CheckpointFileError extends Error {
  readonly code = 'checkpoint_file';

  constructor(fault: string) {
    super(`The file of checkpoints ${fault}.`);
    this.name = 'CheckpointFileError';
  }
}

/** The content of a file of checkpoints. */
export interface CheckpointsInFile {
  /** The last line of each stream. */
  readonly heads: StreamHeads;
  readonly last: AuditCheckpoint | undefined;
  /** Bytes at the end, of a checkpoint whose writing was cut off. They count for nothing. */
  readonly unfinished: number;
}

/** Characters that are written at a time. */
const CHUNK = 1_048_576;

/**
 * The file to which checkpoints are appended, each a line after lines `["stream",revision,"hash"]` for the streams that have
 * changed since the one before: so the file alone says where every stream stood. What is appended counts once its
 * checkpoint stands there, and what was cut off makes way for the next one. Only the leading process appends, and only to
 * what it has read.
 */
export class CheckpointFile {
  #size = 0;
  /** Bytes of the file up to the end of its last checkpoint. */
  #end = 0;
  #isEnded = true;

  constructor(private readonly path: string) {}

  /** Expects what the file says; where there is none, nothing. @throws CheckpointFileError */
  async read(signed: SignedHeads): Promise<CheckpointsInFile> {
    const reading = new Reading(signed);
    await reading.takeAll(this.path).catch(absent);
    const { heads, last, size, end, isEnded } = reading;
    this.#size = size;
    this.#end = end;
    this.#isEnded = isEnded;
    // A file of bare checkpoints knows no streams.
    if (last !== undefined && heads.size > 0 && (await rootOf(heads)) !== last.root) {
      signed.tell(`The stream lines in the file differ from those signed at ${last.at}.`);
    }
    return { heads, last, unfinished: size - end };
  }

  /** Whether the file is as long as it was when it was last read or written here. */
  async isAsRead(): Promise<boolean> {
    return (await this.#sizeNow()) === this.#size;
  }

  /**
   * Appends lines with their ends, the checkpoint last, durably, in place of what is unfinished: how many bytes that was.
   * @throws CheckpointFileError where the file is not as it was read
   */
  async append(lines: Iterable<string>): Promise<number> {
    const file = await open(this.path, 'a', 0o600);
    try {
      if ((await file.stat()).size !== this.#size) {
        throw new CheckpointFileError('was written by another process since it was read');
      }
      const unfinished = this.#size - this.#end;
      if (unfinished > 0) await file.truncate(this.#end);
      let chunk = this.#isEnded ? '' : '\n';
      for (const line of lines) {
        chunk += line;
        if (chunk.length < CHUNK) continue;
        await file.appendFile(chunk);
        chunk = '';
      }
      await file.appendFile(chunk);
      await file.sync();
      this.#size = (await file.stat()).size;
      this.#end = this.#size;
      this.#isEnded = true;
      return unfinished;
    } finally {
      await file.close();
    }
  }

  async #sizeNow(): Promise<number> {
    return (await stat(this.path).catch(absent))?.size ?? 0;
  }
}

/** Tells of what counts for nothing at the end of a file of checkpoints. */
export function cutOff(bytes: number): string {
  return `The last ${bytes} bytes of the file of checkpoints do not count. Their checkpoint was not written to its end.`;
}

/** Expects what a file says that must hold a checkpoint. @throws CheckpointFileError */
export async function expectCheckpoints(
  signed: SignedHeads,
  path: string,
): Promise<CheckpointsInFile & { readonly last: AuditCheckpoint }> {
  // Says that there is no such file, unlike the reading.
  await stat(path);
  const { last, ...found } = await new CheckpointFile(path).read(signed);
  if (last === undefined) throw new CheckpointFileError('holds no checkpoint');
  return { ...found, last };
}

/** Takes the lines of a file in order. */
class Reading {
  readonly heads = new Map<string, StreamHead>();
  last: AuditCheckpoint | undefined;
  /** Bytes that were read. */
  size = 0;
  /** Bytes up to the end of the last checkpoint, and whether its line is ended. */
  end = 0;
  isEnded = true;
  /** Heads whose checkpoint has not come. */
  readonly #begun = new Map<string, StreamHead>();

  constructor(private readonly signed: SignedHeads) {}

  /** @throws CheckpointFileError */
  async takeAll(path: string): Promise<void> {
    for await (const line of placedLinesOf(path)) {
      this.size = line.end;
      this.#take(line);
    }
  }

  #take(line: Line): void {
    const member = readMember(line.text);
    if (member === undefined) {
      if (!this.#isCutOff(line)) throw foreignLine();
      return;
    }
    if (Array.isArray(member)) {
      const [stream, revision, hash] = member;
      this.#begun.set(stream, { revision, hash });
      return;
    }
    this.signed.demandSigned(`the checkpoint of ${member.at}`, member, isSigned(member));
    for (const [stream, head] of this.#begun) {
      this.heads.set(stream, head);
      this.signed.expect(stream, head);
    }
    this.#begun.clear();
    if (this.heads.size === 0) this.signed.expectRoot(member);
    this.last = member;
    this.end = line.end;
    this.isEnded = line.isEnded;
  }

  /** A last line without an end, unless nothing of ours stands in the file: then it is another one. */
  #isCutOff({ text, isEnded }: Line): boolean {
    const mayBegin = ['["', '{"at":"'].some((start) => start.startsWith(text.slice(0, start.length)));
    return !isEnded && (mayBegin || this.last !== undefined || this.#begun.size > 0);
  }
}

type Member = AuditCheckpoint | [stream: string, revision: number, hash: string];

/** Undefined for what is no JSON, such as a line that was cut off. @throws CheckpointFileError */
function readMember(line: string): Member | undefined {
  let member: Member | null;
  try {
    member = JSON.parse(line) as Member | null;
  } catch {
    return undefined;
  }
  if (Array.isArray(member) ? member.length === 3 : typeof member?.root === 'string') return member!;
  throw foreignLine();
}

function foreignLine(): CheckpointFileError {
  return new CheckpointFileError('has a line that is neither a checkpoint nor where a stream stood');
}

function absent(error: unknown): undefined {
  if (!isSystemError(error, 'ENOENT')) throw error as Error;
}
