import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../config/clock.js';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Changes, Table } from './table.js';

/** Decides on what is stored and on what earlier operations wrote, and writes through the group. Synchronous. */
export type Operation<T> = (group: WriteGroup) => T;

export interface EnqueueOptions {
  /** Later operations are decided only after the commit of this one, and the effects of that. */
  readonly alone?: boolean | undefined;
  /** Waits up to a second for another operation, to share its commit. */
  readonly lazy?: boolean | undefined;
}

/** Writes all changes to the file, or none. @throws StoreUnavailableError */
export type Commit = (changes: Changes) => Promise<void>;

/** How operations reach the file. */
export interface WriteStrategy {
  /** A table as operations and reads see it. */
  over<V>(table: Table<V>): Table<V>;
  /**
   * Runs an operation after those that came before it. A rejection promises that the operation wrote nothing, unless the
   * error says otherwise.
   */
  enqueue<T>(operation: Operation<T>, options: EnqueueOptions): Promise<T>;
  /** Resolves when the file holds all that was enqueued by now. @throws StoreUnavailableError */
  flush(): Promise<void>;
  /** Refuses what waits: the file belongs to another process from now on. */
  abandon(error: StoreUnavailableError): void;
  /** Resolves once everything that was accepted has reached the file, or cannot. */
  finish(): Promise<void>;
}

/** Writes of the operations of one commit so far. Each operation reads those before it. */
export class WriteGroup {
  readonly changes = new Map<Table<unknown>, Map<ByteString, unknown>>();
  private readonly effects: (() => void)[] = [];
  private readonly failureEffects: (() => void)[] = [];
  size = 0;

  get<V>(table: Table<V>, key: ByteString): V | undefined {
    const value = this.changes.get(table)?.get(key) as V | null | undefined;
    return value === undefined ? table.get(key) : (value ?? undefined);
  }

  /** @param value null removes the key */
  put<V>(table: Table<V>, key: ByteString, value: V | null): void {
    let changes = this.changes.get(table);
    if (changes === undefined) {
      changes = new Map();
      this.changes.set(table, changes);
    }
    changes.set(key, value);
    this.size += 1;
  }

  remove(table: Table<unknown>, key: ByteString): void {
    this.put(table, key, null);
  }

  /** Runs `effect` after the commit, before any promise of the group resolves. */
  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  committed(): void {
    for (const effect of this.effects) effect();
  }

  /** Runs `effect` after a failed commit, before any promise of the group rejects. The commit may have landed all the same. */
  afterFailure(effect: () => void): void {
    this.failureEffects.push(effect);
  }

  failed(): void {
    for (const effect of this.failureEffects) effect();
  }
}

interface Queued {
  readonly operation: Operation<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly alone: boolean | undefined;
}

/** Keeps one group's evaluation, which holds the event loop, within milliseconds. */
const maximumGroupWrites = 8_192;
/** Milliseconds that a lazy operation waits for others. */
const longestWait = 1_000;

/**
 * One commit in flight at a time. Operations queue meanwhile; then all that are queued decide, in order, and are written
 * together. Each resolves once its group is committed, and may be run again when another of its group throws.
 */
export class GroupCommit implements WriteStrategy {
  private queue: Queued[] = [];
  /** Whether an operation is queued that is not lazy, or has waited long enough. */
  private isDue = false;
  private isCommitting = false;
  private isAbandoned = false;
  private whenIdle: (() => void) | undefined;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly commit: Commit,
  ) {}

  over<V>(table: Table<V>): Table<V> {
    return table;
  }

  enqueue<T>(operation: Operation<T>, { alone, lazy }: EnqueueOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ operation, resolve: resolve as (result: unknown) => void, reject, alone });
      if (lazy === true) this.cancelTimer ??= this.clock.after(longestWait, () => this.begin());
      else this.begin();
    });
  }

  /** Without lazy operations, all that was enqueued is committed or being so. */
  flush(): Promise<void> {
    return this.enqueue(() => undefined, {});
  }

  abandon(error: StoreUnavailableError): void {
    this.isAbandoned = true;
    this.rejectQueued(error);
  }

  async finish(): Promise<void> {
    if (this.queue.length > 0) this.begin();
    if (this.isCommitting) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  private begin(): void {
    this.isDue = true;
    if (this.isCommitting) return;
    this.isCommitting = true;
    // Operations that the same turn still queues join the group.
    queueMicrotask(() => void this.commitGroups());
  }

  private rejectQueued(error: unknown): void {
    for (const { reject } of this.queue.splice(0)) reject(error);
  }

  private async commitGroups(): Promise<void> {
    while (this.isDue) await this.commitNextGroup();
    this.isCommitting = false;
    this.whenIdle?.();
  }

  private async commitNextGroup(): Promise<void> {
    const { group, members, results } = this.evaluate();
    try {
      if (group.size > 0) await this.commit(group.changes);
      group.committed();
    } catch (error) {
      await this.rejectAfter(error, group, members);
      return;
    }
    members.forEach((member, index) => member.resolve(results[index]));
  }

  /**
   * Operations that are queued behind the group relied on it, and so may those that come before the callers have heard of
   * the failure, which takes until the next turn. All of them are rejected.
   */
  private async rejectAfter(cause: unknown, group: WriteGroup, members: readonly Queued[]): Promise<void> {
    for (const member of members) member.reject(cause);
    const text = 'The embedded store could not commit an earlier write.';
    const follower = new StoreUnavailableError(text, false, { cause });
    this.rejectQueued(follower);
    if (!this.isAbandoned) group.failed();
    await nextTurn();
    this.rejectQueued(follower);
  }

  /** Takes operations off the queue until one is alone, the group is large enough, or the queue is empty. */
  private evaluate(): { group: WriteGroup; members: Queued[]; results: unknown[] } {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
    for (;;) {
      const group = new WriteGroup();
      const results: unknown[] = [];
      const failed = this.run(group, results);
      if (failed === undefined) {
        const members = this.queue.splice(0, results.length);
        this.isDue = this.queue.length > 0;
        return { group, members, results };
      }
      // An operation that threw must leave no writes. The others decide again without it.
      this.queue.splice(this.queue.indexOf(failed.member), 1);
      failed.member.reject(failed.error);
    }
  }

  private run(group: WriteGroup, results: unknown[]): { member: Queued; error: unknown } | undefined {
    for (const member of this.queue) {
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
