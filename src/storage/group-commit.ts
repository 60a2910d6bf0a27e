import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from './store.errors.js';
import type { Table } from './table.js';
import { WriteGroup } from './write-group.js';
import type { Commit, Operation, WriteStrategy } from './write-strategy.js';

interface Queued {
  readonly operation: Operation<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly alone: boolean;
}

/** Keeps one group's evaluation, which holds the event loop, within milliseconds. */
const maximumGroupWrites = 8_192;

/**
 * One commit in flight at a time. Operations queue meanwhile; then all that are queued decide, in order, and are written
 * together. Each resolves once its group is committed, and may be run again when another of its group throws.
 */
export class GroupCommit implements WriteStrategy {
  private queue: Queued[] = [];
  private isCommitting = false;
  private isAbandoned = false;
  private whenIdle: (() => void) | undefined;

  constructor(private readonly commit: Commit) {}

  over<V>(table: Table<V>): Table<V> {
    return table;
  }

  enqueue<T>(operation: Operation<T>, alone: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ operation, resolve: resolve as (result: unknown) => void, reject, alone });
      if (this.isCommitting) return;
      this.isCommitting = true;
      // What the same turn still queues shall join the group.
      queueMicrotask(() => void this.commitGroups());
    });
  }

  /** What is acknowledged is in the file already. */
  flush(): Promise<void> {
    return Promise.resolve();
  }

  abandon(error: StoreUnavailableError): void {
    this.isAbandoned = true;
    this.rejectQueued(error);
  }

  async finish(): Promise<void> {
    if (this.isCommitting) await new Promise<void>((resolve) => (this.whenIdle = resolve));
  }

  private rejectQueued(error: unknown): void {
    for (const { reject } of this.queue.splice(0)) reject(error);
  }

  private async commitGroups(): Promise<void> {
    while (this.queue.length > 0) await this.commitNextGroup();
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
   * What is queued behind relied on the group, as a later write may be durable only where the earlier ones are; and so
   * may what comes before those who asked have heard of the failure, which takes them until the next turn.
   */
  private async rejectAfter(cause: unknown, group: WriteGroup, members: readonly Queued[]): Promise<void> {
    for (const member of members) member.reject(cause);
    const text = 'The embedded store could not commit what this was to follow.';
    const follower = new StoreUnavailableError(text, false, { cause });
    this.rejectQueued(follower);
    if (!this.isAbandoned) group.failed();
    await nextTurn();
    this.rejectQueued(follower);
  }

  /** Takes operations off the queue until one stands alone, the group is large enough, or the queue is empty. */
  private evaluate(): { group: WriteGroup; members: Queued[]; results: unknown[] } {
    for (;;) {
      const group = new WriteGroup();
      const results: unknown[] = [];
      const failed = this.run(group, results);
      if (failed === undefined) {
        const members = this.queue.splice(0, results.length);
        return { group, members, results };
      }
      // What it wrote before it threw must not be committed: the others decide anew without it.
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
      if (member.alone || group.size >= maximumGroupWrites) break;
    }
    return undefined;
  }
}
