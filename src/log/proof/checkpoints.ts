import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { pagesOf } from '../log-pass.js';
import { type Checkpoint, signedCheckpoint } from './checkpoint.js';
import { linesOf } from './lines.js';
import { type Difference, expectCheckpoints, SignedHeads } from './signed-heads.js';
import type { SigningKey } from './signing-key.js';
import { headOf, type StreamHead } from './stream-heads.js';

/** The log is not what it was signed to be: nothing more of it is signed. */
export class LogDiffersError extends Error {
  readonly code = 'log_differs';

  constructor(readonly differences: readonly Difference[]) {
    super(`The log is not what was signed before. ${differences[0]!}`);
    this.name = 'LogDiffersError';
  }
}

export interface CheckpointsOptions {
  readonly store: EventStore;
  readonly key: SigningKey;
  /** A file to which each is appended, and which they are held to; see {@link Checkpoints}. */
  readonly file: string | undefined;
  /** ISO 8601 UTC with milliseconds. */
  readonly now: () => string;
}

/** Characters that are written to the file at a time. */
const CHUNK = 1_048_576;

/**
 * Signs where the log stands, again and again. The first one reads the whole log, each further one what has come since,
 * which must link to what was read before. Where there is a file, each gets lines `["stream",revision,"hash"]` for the
 * streams that have changed since the one before it, and then its own: so the file alone says where every stream stood.
 */
export class Checkpoints {
  readonly #heads = new Map<string, StreamHead>();
  /** Streams that have changed since the last checkpoint in the file. */
  readonly #changed = new Set<string>();
  #after: bigint | undefined;
  #last: Checkpoint | undefined;
  #stopped = false;

  constructor(private readonly options: CheckpointsOptions) {}

  /** Signs what the log is by now. @throws LogDiffersError @throws StoreUnavailableError */
  async next(): Promise<Checkpoint> {
    const { key, file, now } = this.options;
    await this.#read();
    const checkpoint = await signedCheckpoint(this.#heads, now(), key);
    if (file !== undefined) await append(file, this.#linesOf(checkpoint));
    this.#changed.clear();
    this.#last = checkpoint;
    return checkpoint;
  }

  /** Lets what is under way end soon; it rejects. */
  stop(): void {
    this.#stopped = true;
  }

  /** What has come since the last reading; what is not as it was signed is told, and never signed again. */
  async #read(): Promise<void> {
    const { store, file, key } = this.options;
    const signed = new SignedHeads(key.name);
    const known = new Map<string, StreamHead>();
    if (this.#last === undefined && file !== undefined) await expectFile(signed, file, known);
    for await (const page of pagesOf(store, undefined, this.#after)) {
      for (const event of page) {
        if (!follows(event, this.#heads.get(event.stream))) {
          signed.tell(`Stream ${event.stream} does not go on at revision ${event.revision} as it was.`);
        }
        await signed.take(event);
        this.#take(event.stream, headOf(event), known.get(event.stream));
      }
      this.#after = page.at(-1)!.position;
      // Requests get their turn.
      await nextTurn();
      if (this.#stopped) throw new Error('The signing of the log was stopped.');
    }
    const differences = signed.differences();
    if (differences.length > 0) {
      this.#forget();
      throw new LogDiffersError(differences);
    }
  }

  #take(stream: string, head: StreamHead, inFile: StreamHead | undefined): void {
    this.#heads.set(stream, head);
    if (inFile?.revision === head.revision) this.#changed.delete(stream);
    else this.#changed.add(stream);
  }

  /** The next reading begins anew, so that it tells the same. */
  #forget(): void {
    this.#heads.clear();
    this.#changed.clear();
    this.#after = undefined;
    this.#last = undefined;
  }

  *#linesOf(checkpoint: Checkpoint): Generator<string> {
    for (const stream of this.#changed) {
      const { revision, hash } = this.#heads.get(stream)!;
      yield `${JSON.stringify([stream, revision, hash])}\n`;
    }
    yield `${JSON.stringify(checkpoint)}\n`;
  }
}

function follows({ revision, metadata }: RecordedEvent, head: StreamHead | undefined): boolean {
  if (head === undefined) return revision === 0;
  return revision === head.revision + 1 && metadata['previous_hash'] === head.hash;
}

/** What a file that is there says; where there is none, nothing. */
async function expectFile(signed: SignedHeads, file: string, known: Map<string, StreamHead>): Promise<void> {
  try {
    await expectCheckpoints(signed, linesOf(file), known);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
  }
}

/** Appends lines, durably. */
async function append(path: string, lines: Iterable<string>): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    let chunk = '';
    for (const line of lines) {
      chunk += line;
      if (chunk.length < CHUNK) continue;
      await file.write(chunk);
      chunk = '';
    }
    await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}
