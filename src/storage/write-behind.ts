import type { Clock } from '../config/clock.js';
import { type Commit, type Operation, WriteGroup, type WriteStrategy } from './group-commit.js';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from './store.errors.js';
import type { Changes, Entry, KeyRange, Table, TableChanges } from './table.js';

/** Milliseconds that a change waits for others, to share their flush. */
const LINGER = 200;
/** Milliseconds before a flush that failed is tried again. */
const RETRIED_AFTER = 1_000;
/** So many changes are flushed at once. */
const FLUSHED_AT = 2_048;
/** With so many changes, writers wait for the flush. */
const MOST_WAITING = 8_192;

/** The writes of a flush. */
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
 * Operations decide at once and change memory. Flushes write the changes to the file, one at a time, each as a commit that
 * holds everything before it. A crash takes the latest operations (docs/adr/0006).
 *
 * A flush that fails loses nothing: its changes stay in memory, where reads see them, and it is tried again. Until it has
 * succeeded, operations are refused, so that memory does not grow.
 */
export class WriteBehind implements WriteStrategy {
  private readonly tables = new Map<Table<unknown>, BufferedTable<unknown>>();
  /** Operations that wait for room, or for a flush to succeed again. */
  private queue: Queued[] = [];
  /** Changes that no flush has taken yet. */
  private waiting = 0;
  private applied = 0;
  private flushed = 0;
  /** Writes of the present flush, or of the one that failed. */
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

  /** Unflushed changes are lost with the process. The next process brings the file up to date. */
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

/** A table whose latest changes are in memory, over those on their way to the file, over the file. */
class BufferedTable<V> implements Table<V> {
  private waiting = new ChangeLayer<V>();
  private flushing: ChangeLayer<V> | undefined;

  constructor(private readonly file: Table<V>) {}

  get name(): string {
    return this.file.name;
  }

  get(key: ByteString, isPassing?: boolean): V | undefined {
    let value = this.waiting.byKey.get(key);
    if (value === undefined) value = this.flushing?.byKey.get(key);
    return value === undefined ? this.file.get(key, isPassing) : (value ?? undefined);
  }

  entries(range: KeyRange): Iterable<Entry<V>> {
    const { limit, ...unlimited } = range;
    let entries: Iterable<Entry<V>> | undefined;
    for (const layer of [this.flushing, this.waiting]) {
      const keys = layer?.keys(range) ?? [];
      if (keys.length > 0) entries = overlaid(entries ?? this.file.entries(unlimited), layer!, keys, range);
    }
    if (entries === undefined) return this.file.entries(range);
    return limit === undefined ? entries : first(limit, entries);
  }

  *keys(range: KeyRange): Generator<ByteString> {
    for (const { key } of this.entries(range)) yield key;
  }

  /** @returns how many keys wait that did not before */
  apply(changes: TableChanges<V>): number {
    const { size } = this.waiting.byKey;
    for (const [key, value] of changes) this.waiting.set(key, value);
    return this.waiting.byKey.size - size;
  }

  /** @returns the changes that the flush writes */
  beginFlush(): TableChanges<V> {
    this.flushing = this.waiting;
    this.waiting = new ChangeLayer<V>();
    return this.flushing.byKey;
  }

  /** The file holds the changes of the flush. */
  endFlush(): void {
    this.flushing = undefined;
  }
}

/** Entries of both in the order of the range. Where both have a key, the layer counts. */
function* overlaid<V>(
  below: Iterable<Entry<V>>,
  { byKey }: ChangeLayer<V>,
  keys: readonly ByteString[],
  { reverse }: KeyRange,
): Generator<Entry<V>> {
  let place = 0;
  for (const entry of below) {
    for (; place < keys.length; place += 1) {
      const key = keys[place]!;
      if (reverse === true ? key <= entry.key : key >= entry.key) break;
      yield* present(key, byKey);
    }
    if (keys[place] !== entry.key) yield entry;
  }
  for (; place < keys.length; place += 1) yield* present(keys[place]!, byKey);
}

function* present<V>(key: ByteString, byKey: TableChanges<V>): Generator<Entry<V>> {
  const value = byKey.get(key);
  if (value !== undefined && value !== null) yield { key, value };
}

function* first<V>(limit: number, entries: Iterable<Entry<V>>): Generator<Entry<V>> {
  let left = limit;
  for (const entry of entries) {
    if (left <= 0) return;
    left -= 1;
    yield entry;
  }
}

/** Changes of a table in memory, by key and in the order of the keys. */
class ChangeLayer<V> {
  /** null where the key is removed. */
  readonly byKey = new Map<ByteString, V | null>();
  private sorted: ByteString[] = [];
  /** New keys since the last request for their order. Most tables never get one. */
  private unsorted: ByteString[] = [];

  set(key: ByteString, value: V | null): void {
    const { size } = this.byKey;
    this.byKey.set(key, value);
    if (this.byKey.size > size) this.unsorted.push(key);
  }

  /** Keys in the order of the range. */
  keys({ start, end, reverse }: KeyRange): ByteString[] {
    this.sort();
    const { sorted } = this;
    if (reverse !== true) return sorted.slice(firstNotBelow(sorted, start), firstNotBelow(sorted, end));
    return sorted.slice(firstNotBelow(sorted, end), firstNotBelow(sorted, `${start}\0`)).reverse();
  }

  private sort(): void {
    const { sorted, unsorted } = this;
    if (unsorted.length === 0) return;
    this.unsorted = [];
    if (unsorted.length >= sorted.length / 32) this.sorted = sorted.concat(unsorted).sort();
    // To insert a few keys moves less than to sort.
    else for (const key of unsorted) sorted.splice(firstNotBelow(sorted, key), 0, key);
  }
}

function firstNotBelow(sorted: readonly ByteString[], bound: ByteString): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
