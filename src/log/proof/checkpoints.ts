import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { EventStore, RecordedEvent } from '../event-store.js';
import { pagesOf } from '../log-pass.js';
import { type Checkpoint, signedCheckpoint } from './checkpoint.js';
import { CheckpointFile, CheckpointFileInUseError, cutOff } from './checkpoint-file.js';
import { type Difference, SignedHeads } from './signed-heads.js';
import type { SigningKey } from './signing-key.js';
import { headOf, type StreamHead, type StreamHeads } from './stream-heads.js';

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
  /** A file to which each is appended, and which they are held to; see {@link CheckpointFile}. */
  readonly file: string | undefined;
  /** ISO 8601 UTC with milliseconds. */
  readonly now: () => string;
  /** Takes a line on something that was mended. */
  readonly tell: (line: string) => void;
  /** How often a file is tried that another is writing. */
  readonly tries?: number;
}

/** Ten seconds of them, far more than one checkpoint takes to be written. */
const TRIES = 500;
/** Milliseconds between two. */
const PAUSE = 20;

const NONE: StreamHeads = new Map();

/**
 * Signs where the log stands, again and again. The first one reads the whole log and the file, each further one what has
 * come since, which must link to what was read before.
 */
export class Checkpoints {
  readonly #heads = new Map<string, StreamHead>();
  /** Streams that have changed since the last checkpoint in the file. */
  readonly #changed = new Set<string>();
  readonly #file: CheckpointFile | undefined;
  /** Absent until something was read. */
  #after: bigint | undefined;
  #stopped = false;

  constructor(private readonly options: CheckpointsOptions) {
    this.#file = options.file === undefined ? undefined : new CheckpointFile(options.file);
  }

  /**
   * Signs what the log is by now, once nobody else writes the file. After an error the next one begins anew.
   * @throws LogDiffersError @throws CheckpointFileError @throws StoreUnavailableError
   */
  async next(): Promise<Checkpoint> {
    try {
      return await this.#inTurn();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  async #inTurn(tries = this.options.tries ?? TRIES): Promise<Checkpoint> {
    try {
      return await this.#next();
    } catch (error) {
      if (!(error instanceof CheckpointFileInUseError) || tries <= 1 || this.#stopped) throw error;
    }
    await pause(PAUSE);
    return this.#inTurn(tries - 1);
  }

  async #next(): Promise<Checkpoint> {
    const { key, now } = this.options;
    // Another process has appended to the file: its end is to be read.
    if ((await this.#file?.isAsRead()) === false) this.#forget();
    await this.#read();
    const at = now();
    const checkpoint = await signedCheckpoint(this.#heads, at, key);
    await this.#file?.append(this.#linesOf(checkpoint), Date.parse(at));
    this.#changed.clear();
    return checkpoint;
  }

  /** Lets what is under way end soon; it rejects. */
  stop(): void {
    this.#stopped = true;
  }

  /** What has come since the last reading; what is not as it was signed is told, and never signed again. */
  async #read(): Promise<void> {
    const { store, key } = this.options;
    const signed = new SignedHeads(key.name, true);
    const inFile = this.#after === undefined ? await this.#readFile(signed) : NONE;
    for await (const page of pagesOf(store, undefined, this.#after)) {
      for (const event of page) {
        if (!follows(event, this.#heads.get(event.stream))) {
          signed.tell(`Stream ${event.stream} does not go on at revision ${event.revision} as it was.`);
        }
        await signed.take(event);
        this.#take(event.stream, headOf(event), inFile.get(event.stream));
      }
      this.#after = page.at(-1)!.position;
      // Requests get their turn.
      await nextTurn();
      if (this.#stopped) throw new Error('The signing of the log was stopped.');
    }
    const differences = signed.differences();
    if (differences.length > 0) throw new LogDiffersError(differences);
  }

  async #readFile(signed: SignedHeads): Promise<StreamHeads> {
    if (this.#file === undefined) return NONE;
    const { heads, unfinished } = await this.#file.read(signed);
    if (unfinished > 0) this.options.tell(cutOff(unfinished));
    return heads;
  }

  #take(stream: string, head: StreamHead, inFile: StreamHead | undefined): void {
    this.#heads.set(stream, head);
    if (inFile?.revision === head.revision) this.#changed.delete(stream);
    else this.#changed.add(stream);
  }

  #forget(): void {
    this.#heads.clear();
    this.#changed.clear();
    this.#after = undefined;
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
