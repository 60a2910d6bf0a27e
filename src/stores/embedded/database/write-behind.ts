import type { Clock } from '#kernel/clock.js';
import { type WriteChanges, type GroupOperation, WriteGroup, type WriteStrategy } from './group-commit.js';
import type { ByteString } from './key-encoding.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { StoreChanges, Entry, KeyRange, StoreTable, TableChanges } from './table.js';

/** Milliseconds that a change waits for others, to share their flush. */
const FLUSH_DELAY_MS = 200;
/** Milliseconds from a failed flush to the next attempt. */
const RETRY_DELAY_MS = 1_000;
/** Number of waiting changes that starts a flush at once. */
const FLUSH_SIZE = 2_048;
/** Number of waiting changes from which operations must wait. */
const MOST_WAITING = 8_192;

/** The writes of one flush. */
interface Flush {
  readonly changes: StoreChanges;
  /** The number of operations up to and including these writes. */
  readonly applied: number;
}

interface Queued {
  readonly run: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Operations run at once and change only memory. Flushes then write the changes to the file in order, one commit at a
 * time. A crash loses the latest operations (docs/adr/0006).
 *
 * After a failed flush its changes stay in memory, where reads see them, and it is tried again. Until it succeeds,
 * operations are refused, so that memory does not grow.
 */
export class WriteBehind implements WriteStrategy {
  readonly #tables = new Map<StoreTable<unknown>, BufferedTable<unknown>>();
  /** Operations that wait for the running flush. */
  #queue: Queued[] = [];
  /** Number of changes that are not in a flush yet. */
  #waiting = 0;
  /** Numbers of operations. */
  #applied = 0;
  #flushed = 0;
  /** The running flush, or the failed one. */
  #current: Flush | undefined;
  #flushing: Promise<void> | undefined;
  #failure: StoreUnavailableError | undefined;
  #isAbandoned = false;
  #cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly commit: WriteChanges,
  ) {}

  withPending<V>(file: StoreTable<V>): StoreTable<V> {
    let table = this.#tables.get(file) as BufferedTable<V> | undefined;
    if (table === undefined) this.#tables.set(file, (table = new BufferedTable(file)));
    return table;
  }

  enqueue<T>(operation: GroupOperation<T>): Promise<T> {
    if (this.#queue.length === 0 && this.#hasRoom) return this.#run(operation);
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ run: () => void this.#run(operation).then(resolve, reject), reject });
      void this.#beginFlush();
    });
  }

  async flush(): Promise<void> {
    const target = this.#applied;
    while (this.#flushed < target) {
      await this.#beginFlush();
      if (this.#failure !== undefined) throw this.#failure;
    }
  }

  abandon(error: StoreUnavailableError): void {
    this.#isAbandoned = true;
    this.#failure = error;
    this.#stopTimer();
    this.#runQueued();
  }

  /** If the last flush fails, its changes are lost. The catch-up of the next process makes them again. */
  async finish(): Promise<void> {
    while (this.#queue.length > 0) await this.#beginFlush();
    if (!this.#isAbandoned) await this.flush().catch(() => undefined);
    this.#stopTimer();
  }

  get #hasRoom(): boolean {
    return this.#failure === undefined && this.#waiting < MOST_WAITING;
  }

  // Async so that a throw becomes a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async #run<T>(operation: GroupOperation<T>): Promise<T> {
    const group = new WriteGroup();
    const result = operation(group);
    if (group.size > 0) this.#apply(group);
    group.committed();
    return result;
  }

  #apply({ changes }: WriteGroup): void {
    // All tables come from `withPending`.
    for (const [table, added] of changes) this.#waiting += (table as BufferedTable<unknown>).apply(added);
    this.#applied += 1;
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#isAbandoned || this.#flushing !== undefined) return;
    if (this.#failure !== undefined) this.#flushAfter(RETRY_DELAY_MS);
    else if (this.#waiting >= FLUSH_SIZE) void this.#beginFlush();
    else if (this.#waiting > 0) this.#flushAfter(FLUSH_DELAY_MS);
  }

  #flushAfter(milliseconds: number): void {
    this.#cancelTimer ??= this.clock.after(milliseconds, () => void this.#beginFlush());
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Never rejects. */
  #beginFlush(): Promise<void> {
    this.#flushing ??= this.#flushNext();
    return this.#flushing;
  }

  async #flushNext(): Promise<void> {
    this.#stopTimer();
    this.#current ??= this.#newFlush();
    try {
      await this.commit(this.#current.changes);
      for (const table of this.#tables.values()) table.endFlush();
      this.#flushed = this.#current.applied;
      this.#current = undefined;
      this.#failure = undefined;
    } catch (cause) {
      if (!this.#isAbandoned) this.#failure = refusal(cause);
    }
    this.#flushing = undefined;
    this.#runQueued();
    this.#scheduleFlush();
  }

  #newFlush(): Flush {
    this.#waiting = 0;
    const changes = new Map([...this.#tables].map(([file, table]) => [file, table.beginFlush()]));
    return { changes, applied: this.#applied };
  }

  /** Runs the waiting operations as far as there is room, or rejects them after a failure. */
  #runQueued(): void {
    if (this.#failure !== undefined) for (const { reject } of this.#queue.splice(0)) reject(this.#failure);
    while (this.#queue.length > 0 && this.#hasRoom) this.#queue.shift()!.run();
  }
}

function refusal(cause: unknown): StoreUnavailableError {
  return new StoreUnavailableError('The embedded store cannot write to its file now.', false, { cause });
}

/** A table in three layers: the latest changes in memory, the changes of the running flush, and the file. */
class BufferedTable<V> implements StoreTable<V> {
  #waiting = new ChangeLayer<V>();
  #flushing: ChangeLayer<V> | undefined;

  constructor(private readonly file: StoreTable<V>) {}

  get name(): string {
    return this.file.name;
  }

  get(key: ByteString, bypassCache?: boolean): V | undefined {
    let value = this.#waiting.byKey.get(key);
    if (value === undefined) value = this.#flushing?.byKey.get(key);
    return value === undefined ? this.file.get(key, bypassCache) : (value ?? undefined);
  }

  entries(range: KeyRange): Iterable<Entry<V>> {
    const { limit, ...unlimited } = range;
    let entries: Iterable<Entry<V>> | undefined;
    for (const layer of [this.#flushing, this.#waiting]) {
      const keys = layer?.keys(range) ?? [];
      if (keys.length > 0) entries = overlaid(entries ?? this.file.entries(unlimited), layer!, keys, range);
    }
    if (entries === undefined) return this.file.entries(range);
    return limit === undefined ? entries : first(limit, entries);
  }

  *keys(range: KeyRange): Generator<ByteString> {
    for (const { key } of this.entries(range)) yield key;
  }

  /** @returns the number of keys that had no waiting change before */
  apply(changes: TableChanges<V>): number {
    const { size } = this.#waiting.byKey;
    for (const [key, value] of changes) this.#waiting.set(key, value);
    return this.#waiting.byKey.size - size;
  }

  /** @returns the changes to flush */
  beginFlush(): TableChanges<V> {
    this.#flushing = this.#waiting;
    this.#waiting = new ChangeLayer<V>();
    return this.#flushing.byKey;
  }

  /** Called when the file contains the changes of the flush. */
  endFlush(): void {
    this.#flushing = undefined;
  }
}

/** Merges the entries below with those of the layer, in the order of the range. The layer wins. */
function* overlaid<V>(
  below: Iterable<Entry<V>>,
  { byKey }: ChangeLayer<V>,
  keys: readonly ByteString[],
  { reverse }: KeyRange,
): Generator<Entry<V>> {
  let next = 0;
  for (const entry of below) {
    for (; next < keys.length; next += 1) {
      const key = keys[next]!;
      if (reverse === true ? key <= entry.key : key >= entry.key) break;
      yield* present(key, byKey);
    }
    if (keys[next] !== entry.key) yield entry;
  }
  for (; next < keys.length; next += 1) yield* present(keys[next]!, byKey);
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

/** Changes of a table in memory, by key and sorted. */
class ChangeLayer<V> {
  /** null for a removed key. */
  readonly byKey = new Map<ByteString, V | null>();
  #sorted: ByteString[] = [];
  /** New keys since the last sort. Most tables are never sorted. */
  #unsorted: ByteString[] = [];

  set(key: ByteString, value: V | null): void {
    const { size } = this.byKey;
    this.byKey.set(key, value);
    if (this.byKey.size > size) this.#unsorted.push(key);
  }

  /** Keys in the order of the range. */
  keys({ start, end, reverse }: KeyRange): ByteString[] {
    this.#sort();
    const sorted = this.#sorted;
    if (reverse !== true) return sorted.slice(firstNotBelow(sorted, start), firstNotBelow(sorted, end));
    return sorted.slice(firstNotBelow(sorted, end), firstNotBelow(sorted, `${start}\0`)).reverse();
  }

  #sort(): void {
    const sorted = this.#sorted;
    const unsorted = this.#unsorted;
    if (unsorted.length === 0) return;
    this.#unsorted = [];
    if (unsorted.length >= sorted.length / 32) this.#sorted = sorted.concat(unsorted).sort();
    // For a few keys, inserting is faster than sorting.
    else for (const key of unsorted) sorted.splice(firstNotBelow(sorted, key), 0, key);
  }
}

function firstNotBelow(sorted: readonly ByteString[], bound: ByteString): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
