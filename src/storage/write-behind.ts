import type { Clock } from '../config/clock.js';
import { BufferedTable } from './buffered-table.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Changes, Table } from './table.js';
import { WriteGroup } from './write-group.js';
import type { Commit, Operation, WriteStrategy } from './write-strategy.js';

/** How long a change waits for others to share its flush, and a flush that failed before it is tried again; milliseconds. */
const LINGER = 200;
const RETRIED_AFTER = 1_000;
/** So many changes are flushed without waiting for more. */
const FLUSHED_AT = 2_048;
/** With so many waiting, writers wait for the flush. */
const MOST_WAITING = 8_192;

/** What a flush writes. */
interface Taken {
  readonly changes: Changes;
  /** How many operations had been applied by then. */
  readonly applied: number;
}

interface Queued {
  readonly run: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Operations decide and stand at once, in memory; behind them, changes are written to the file in groups, one flush in
 * flight at a time, each a commit that holds everything before it. What a crash takes is the latest operations.
 *
 * A flush that fails loses nothing: what it was to write stays in memory, where reads see it, and is tried again. Until
 * it has succeeded, operations are refused, so that memory does not grow.
 */
export class WriteBehind implements WriteStrategy {
  private readonly tables = new Map<Table<unknown>, BufferedTable<unknown>>();
  /** Operations that wait for room, or for a flush to succeed again. */
  private queue: Queued[] = [];
  /** Changes that no flush has taken yet. */
  private waiting = 0;
  private applied = 0;
  private flushed = 0;
  /** What the present flush is to write, or the one that failed. */
  private taken: Taken | undefined;
  private flushing: Promise<void> | undefined;
  private failure: StoreUnavailableError | undefined;
  private isAbandoned = false;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly commit: Commit,
  ) {}

  over<V>(file: Table<V>): Table<V> {
    let table = this.tables.get(file) as BufferedTable<V> | undefined;
    if (table === undefined) {
      table = new BufferedTable(file);
      this.tables.set(file, table);
    }
    return table;
  }

  enqueue<T>(operation: Operation<T>): Promise<T> {
    if (this.queue.length === 0 && this.hasRoom) return this.run(operation);
    return new Promise<T>((resolve, reject) => {
      this.queue.push({ run: () => void this.run(operation).then(resolve, reject), reject });
      void this.beginFlush();
    });
  }

  async flush(): Promise<void> {
    const target = this.applied;
    while (this.flushed < target) {
      await this.beginFlush();
      if (this.failure !== undefined) throw this.failure;
    }
  }

  abandon(error: StoreUnavailableError): void {
    this.isAbandoned = true;
    this.failure = error;
    this.stopTimer();
    this.admit();
  }

  /** What cannot be flushed is lost with the process; the next one brings the file up to date. */
  async finish(): Promise<void> {
    while (this.queue.length > 0) await this.beginFlush();
    if (!this.isAbandoned) await this.flush().catch(() => undefined);
    this.stopTimer();
  }

  private get hasRoom(): boolean {
    return this.failure === undefined && this.waiting < MOST_WAITING;
  }

  // Async so that a throw is a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  private async run<T>(operation: Operation<T>): Promise<T> {
    const group = new WriteGroup();
    const result = operation(group);
    if (group.size > 0) this.apply(group);
    group.committed();
    return result;
  }

  private apply({ changes }: WriteGroup): void {
    // Each of the tables was made by `over`.
    for (const [table, news] of changes) this.waiting += (table as BufferedTable<unknown>).apply(news);
    this.applied += 1;
    this.goOn();
  }

  private goOn(): void {
    if (this.isAbandoned || this.flushing !== undefined) return;
    if (this.failure !== undefined) this.flushAfter(RETRIED_AFTER);
    else if (this.waiting >= FLUSHED_AT) void this.beginFlush();
    else if (this.waiting > 0) this.flushAfter(LINGER);
  }

  private flushAfter(milliseconds: number): void {
    this.cancelTimer ??= this.clock.after(milliseconds, () => void this.beginFlush());
  }

  private stopTimer(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Never rejects. */
  private beginFlush(): Promise<void> {
    this.flushing ??= this.flushNext();
    return this.flushing;
  }

  private async flushNext(): Promise<void> {
    this.stopTimer();
    this.taken ??= this.take();
    try {
      await this.commit(this.taken.changes);
      for (const table of this.tables.values()) table.endFlush();
      this.flushed = this.taken.applied;
      this.taken = undefined;
      this.failure = undefined;
    } catch (cause) {
      if (!this.isAbandoned) this.failure = refusal(cause);
    }
    this.flushing = undefined;
    this.admit();
    this.goOn();
  }

  private take(): Taken {
    this.waiting = 0;
    const changes = new Map([...this.tables].map(([file, table]) => [file, table.beginFlush()]));
    return { changes, applied: this.applied };
  }

  /** Those who waited go on, or are told that they cannot. */
  private admit(): void {
    if (this.failure !== undefined) for (const { reject } of this.queue.splice(0)) reject(this.failure);
    while (this.queue.length > 0 && this.hasRoom) this.queue.shift()!.run();
  }
}

function refusal(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('The embedded store cannot write to its file now.', false, { cause });
}
