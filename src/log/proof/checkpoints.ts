import { setImmediate as nextTurn } from 'node:timers/promises';
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
  /** Milliseconds to wait for another that writes the file. */
  readonly patience?: number;
}

/** Far more than one checkpoint takes to be written. */
const PATIENCE = 10_000;
/** How often it may be that another writes the file while this one reads: more than there are who do. */
const TURNS = 5;

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
  readonly #stop = new AbortController();

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

  async #inTurn(turns = TURNS): Promise<Checkpoint> {
    const { now, patience = PATIENCE } = this.options;
    await this.#file?.untilFree(Date.parse(now()), patience, this.#stop.signal);
    try {
      return await this.#next();
    } catch (error) {
      if (!(error instanceof CheckpointFileInUseError) || turns <= 1) throw error;
    }
    return this.#inTurn(turns - 1);
  }

  async #next(): Promise<Checkpoint> {
    const { key, now } = this.options;
    // Another process has appended to the file: its end is to be read.
    if ((await this.#file?.isAsRead()) === false) this.#forget();
    await this.#read();
    const at = now();
    const checkpoint = await signedCheckpoint(this.#heads, at, key);
    const unfinished = (await this.#file?.append(this.#linesOf(checkpoint), Date.parse(at))) ?? 0;
    if (unfinished > 0) this.options.tell(cutOff(unfinished));
    this.#changed.clear();
    return checkpoint;
  }

  /** Lets what is under way end soon; it rejects. */
  stop(): void {
    this.#stop.abort(new Error('The signing of the log was stopped.'));
  }

  /** What has come since the last reading; what is not as it was signed is told, and never signed again. */
  async #read(): Promise<void> {
    const { store, key } = this.options;
    const signed = new SignedHeads(key.name, true);
    const fromFile = this.#after === undefined ? await this.#file?.read(signed) : undefined;
    const inFile = fromFile?.heads ?? NONE;
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
      this.#stop.signal.throwIfAborted();
    }
    const differences = signed.differences();
    if (differences.length > 0) throw new LogDiffersError(differences);
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
