import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { pagesOf } from '#eventsourcing/log/log-pass.js';
import { type AuditCheckpoint, signedCheckpoint } from './checkpoint.js';
import { faultOf } from './chain-check.js';
import { describeFault } from './chain-fault.js';
import { CheckpointFile, unfinishedText } from './checkpoint-file.js';
import { type Difference, SignedHeads } from './signed-heads.js';
import type { SigningKey } from './signing-key.js';
import { headOf, type StreamHead, type StreamHeads } from './stream-heads.js';

/** The log differs from an earlier checkpoint. No further checkpoint is signed. */
export class LogDiffersError extends Error {
  readonly code = 'log_differs';

  constructor(readonly differences: readonly Difference[]) {
    super(`The log is not what was signed before. ${differences[0]!}`);
  }
}

export interface CheckpointsOptions {
  readonly store: EventStore;
  readonly key: SigningKey;
  /** The path of a {@link CheckpointFile}. The log must agree with it. */
  readonly file: string | undefined;
  /** True in the leader: appends each checkpoint to the file. */
  readonly appends?: boolean;
  /** ISO 8601 UTC with milliseconds. */
  readonly now: () => string;
  /** Gets a message if an unfinished end of the file was removed. */
  readonly warn: (line: string) => void;
}

const NONE: StreamHeads = new Map();

/**
 * Makes audit checkpoints. The first one reads the whole log and the file; each further one reads only the new events. If
 * an event breaks its hash chain, nothing is signed.
 */
export class Checkpoints {
  readonly #heads = new Map<string, StreamHead>();
  /** Streams that have changed since the last checkpoint in the file. */
  readonly #changed = new Set<string>();
  readonly #file: CheckpointFile | undefined;
  /** Position of the last event that was read. */
  #after: bigint | undefined;
  readonly #stop = new AbortController();

  constructor(private readonly options: CheckpointsOptions) {
    this.#file = options.file === undefined ? undefined : new CheckpointFile(options.file);
  }

  /**
   * Checks the new events and signs the heads of all streams. After an error the next call reads the whole log again.
   * @throws LogDiffersError @throws CheckpointFileError @throws StoreUnavailableError
   */
  async next(): Promise<AuditCheckpoint> {
    try {
      return await this.#next();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  async #next(): Promise<AuditCheckpoint> {
    const { key, now } = this.options;
    // Another process was the leader meanwhile, or somebody replaced the file.
    if ((await this.#file?.isAsRead()) === false) this.#forget();
    await this.#read();
    const at = now();
    const checkpoint = await signedCheckpoint(this.#heads, at, key);
    if (this.options.appends !== true) return checkpoint;
    this.#stop.signal.throwIfAborted();
    const unfinished = (await this.#file?.append(this.#linesOf(checkpoint))) ?? 0;
    if (unfinished > 0) this.options.warn(unfinishedText(unfinished));
    this.#changed.clear();
    return checkpoint;
  }

  /** Ends a running `next` early: it rejects. */
  stop(): void {
    this.#stop.abort(new Error('The signing of the log was stopped.'));
  }

  /** Reads the new events. */
  async #read(): Promise<void> {
    const { store, key } = this.options;
    const signed = new SignedHeads(key.name, { newestOnly: true });
    const fromFile = this.#after === undefined ? await this.#file?.read(signed) : undefined;
    const inFile = fromFile?.heads ?? NONE;
    for await (const page of pagesOf(store, undefined, this.#after)) {
      for (const event of page) {
        const fault = faultOf(event, this.#heads.get(event.stream));
        if (fault !== null) signed.report(describeFault(fault));
        await signed.check(event);
        this.#take(event.stream, headOf(event), inFile.get(event.stream));
      }
      this.#after = page.at(-1)!.position;
      // Lets waiting requests run.
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

  *#linesOf(checkpoint: AuditCheckpoint): Generator<string> {
    for (const stream of this.#changed) {
      const { revision, hash } = this.#heads.get(stream)!;
      yield `${JSON.stringify([stream, revision, hash])}\n`;
    }
    yield `${JSON.stringify(checkpoint)}\n`;
  }
}
