import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#kernel/clock.js';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { StoreChanges, StoreTable } from './table.js';

/** Reads and writes through the group, which contains the writes of earlier operations. Synchronous. */
export type GroupOperation<T> = (group: WriteGroup) => T;

export interface EnqueueOptions {
  /** Later operations run only after this one's commit and its `afterCommit` effects. */
  readonly alone?: boolean | undefined;
  /** Waits up to a second for another operation, to share its commit. */
  readonly lazy?: boolean | undefined;
}

/** Writes all changes to the file, or none. @throws StoreUnavailableError */
export type WriteChanges = (changes: StoreChanges) => Promise<void>;

/** Writes operations to the file: {@link GroupCommit} before the answer, or {@link WriteBehind} after it. */
export interface WriteStrategy {
  /** The table with the writes that have not reached the file. */
  withPending<V>(table: StoreTable<V>): StoreTable<V>;
  /** Runs operations in order. After a rejection nothing was written, unless the error has `outcomeUnknown`. */
  enqueue<T>(operation: GroupOperation<T>, options: EnqueueOptions): Promise<T>;
  /** Resolves when the file contains all operations enqueued before. @throws StoreUnavailableError */
  flush(): Promise<void>;
  /** Rejects waiting operations, because another process writes the file now. */
  abandon(error: StoreUnavailableError): void;
  /** Resolves when all accepted operations have reached the file, or have failed. */
  finish(): Promise<void>;
}

/** The writes for one commit. Each operation also reads the writes of those before it. */
export class WriteGroup {
  readonly changes = new Map<StoreTable<unknown>, Map<ByteString, unknown>>();
  readonly #effects: (() => void)[] = [];
  readonly #failureEffects: (() => void)[] = [];
  size = 0;

  get<V>(table: StoreTable<V>, key: ByteString): V | undefined {
    const value = this.changes.get(table)?.get(key) as V | null | undefined;
    return value === undefined ? table.get(key) : (value ?? undefined);
  }

  /** @param value null removes the key */
  put<V>(table: StoreTable<V>, key: ByteString, value: V | null): void {
    let changes = this.changes.get(table);
    if (changes === undefined) this.changes.set(table, (changes = new Map<ByteString, unknown>()));
    changes.set(key, value);
    this.size += 1;
  }

  remove(table: StoreTable<unknown>, key: ByteString): void {
    this.put(table, key, null);
  }

  /** Runs `effect` after the commit, before any promise of the group resolves. */
  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  committed(): void {
    for (const effect of this.#effects) effect();
  }

  /** Runs `effect` after a failed commit, before any promise of the group rejects. The file may contain the commit. */
  afterFailure(effect: () => void): void {
    this.#failureEffects.push(effect);
  }

  failed(): void {
    for (const effect of this.#failureEffects) effect();
  }
}

interface Queued {
  readonly operation: GroupOperation<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly alone: boolean | undefined;
}

/** Bounds the time that one group blocks the event loop. */
const maximumGroupWrites = 8_192;
/** Milliseconds that a lazy operation waits for others. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Runs one commit at a time. Operations that come meanwhile wait, then run in order and share the next commit. If one
 * throws, the others of its group run again without it.
 */
export class GroupCommit implements WriteStrategy {
  #queue: Queued[] = [];
  /** True if a queued operation is not lazy, or has waited long enough. */
  #isDue = false;
  #isCommitting = false;
  #isAbandoned = false;
  #whenIdle: (() => void) | undefined;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly commit: WriteChanges,
  ) {}

  withPending<V>(table: StoreTable<V>): StoreTable<V> {
    return table;
  }

  enqueue<T>(operation: GroupOperation<T>, { alone, lazy }: EnqueueOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ operation, resolve: resolve as (result: unknown) => void, reject, alone });
      if (lazy === true) this.#cancelTimer ??= this.clock.after(LONGEST_WAIT_MS, () => this.#begin());
      else this.#begin();
    });
  }

  flush(): Promise<void> {
    return this.enqueue(() => undefined, {});
  }

  abandon(error: StoreUnavailableError): void {
    this.#isAbandoned = true;
    this.#rejectQueued(error);
  }

  async finish(): Promise<void> {
    if (this.#queue.length > 0) this.#begin();
    if (this.#isCommitting) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
  }

  #begin(): void {
    this.#isDue = true;
    if (this.#isCommitting) return;
    this.#isCommitting = true;
    // In a microtask, so that operations enqueued in the same turn of the event loop join the group.
    queueMicrotask(() => void this.#commitGroups());
  }

  #rejectQueued(error: unknown): void {
    for (const { reject } of this.#queue.splice(0)) reject(error);
  }

  async #commitGroups(): Promise<void> {
    while (this.#isDue) await this.#commitNextGroup();
    this.#isCommitting = false;
    this.#whenIdle?.();
  }

  async #commitNextGroup(): Promise<void> {
    const { group, members, results } = this.#evaluate();
    try {
      if (group.size > 0) await this.commit(group.changes);
      group.committed();
    } catch (error) {
      await this.#rejectAfter(error, group, members);
      return;
    }
    members.forEach((member, index) => member.resolve(results[index]));
  }

  /**
   * Rejects the group, and also later operations that may rely on it: those in the queue, and those that callers enqueue
   * before they learn of the failure.
   */
  async #rejectAfter(cause: unknown, group: WriteGroup, members: readonly Queued[]): Promise<void> {
    for (const member of members) member.reject(cause);
    const text = 'The embedded store could not commit an earlier write.';
    const laterError = new StoreUnavailableError(text, false, { cause });
    this.#rejectQueued(laterError);
    if (!this.#isAbandoned) group.failed();
    await nextTurn();
    this.#rejectQueued(laterError);
  }

  /** Runs queued operations up to one that is `alone`, a full group, or the end of the queue. */
  #evaluate(): { group: WriteGroup; members: Queued[]; results: unknown[] } {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    for (;;) {
      const group = new WriteGroup();
      const results: unknown[] = [];
      const failed = this.#run(group, results);
      if (failed === undefined) {
        const members = this.#queue.splice(0, results.length);
        this.#isDue = this.#queue.length > 0;
        return { group, members, results };
      }
      // An operation that threw must leave no writes, so the others run again in a new group.
      this.#queue.splice(this.#queue.indexOf(failed.member), 1);
      failed.member.reject(failed.error);
    }
  }

  #run(group: WriteGroup, results: unknown[]): { member: Queued; error: unknown } | undefined {
    for (const member of this.#queue) {
      try {
        results.push(member.operation(group));
      } catch (error) {
        return { member, error };
      }
      if (member.alone === true || group.size >= maximumGroupWrites) break;
    }
    return undefined;
  }
}
