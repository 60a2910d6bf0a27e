import { ChangeLayer } from './change-layer.js';
import type { ByteString } from './key-encoding.js';
import type { Entry, KeyRange, Table, TableChanges } from './table.js';

/** A table whose latest changes are in memory, over those that are on their way to the file, over the file. */
export class BufferedTable<V> implements Table<V> {
  private waiting = new ChangeLayer<V>();
  private flushing: ChangeLayer<V> | undefined;

  constructor(private readonly file: Table<V>) {}

  get name(): string {
    return this.file.name;
  }

  get(key: ByteString): V | undefined {
    let value = this.waiting.byKey.get(key);
    if (value === undefined) value = this.flushing?.byKey.get(key);
    return value === undefined ? this.file.get(key) : (value ?? undefined);
  }

  entries(range: KeyRange): Iterable<Entry<V>> {
    const { limit, ...unlimited } = range;
    const layers = [this.flushing, this.waiting].filter((layer) => layer !== undefined);
    const overlays = layers.map((layer) => ({ layer, keys: layer.keys(range) }));
    const touching = overlays.filter(({ keys }) => keys.length > 0);
    if (touching.length === 0) return this.file.entries(range);
    let entries = this.file.entries(unlimited);
    for (const { layer, keys } of touching) {
      entries = overlaid(entries, { keys, byKey: layer.byKey, reverse: range.reverse === true });
    }
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

  /** Sends what waits on its way, and returns it. */
  beginFlush(): TableChanges<V> {
    this.flushing = this.waiting;
    this.waiting = new ChangeLayer<V>();
    return this.flushing.byKey;
  }

  /** The file holds what was on its way. */
  endFlush(): void {
    this.flushing = undefined;
  }
}

interface Overlay<V> {
  readonly keys: readonly ByteString[];
  readonly byKey: TableChanges<V>;
  readonly reverse: boolean;
}

/** Entries of both in one order; where both have a key, the overlay counts. */
function* overlaid<V>(below: Iterable<Entry<V>>, { keys, byKey, reverse }: Overlay<V>): Generator<Entry<V>> {
  let place = 0;
  for (const entry of below) {
    for (; place < keys.length && precedes(keys[place]!, entry.key, reverse); place += 1) {
      yield* standing(keys[place]!, byKey);
    }
    if (keys[place] !== entry.key) yield entry;
  }
  for (; place < keys.length; place += 1) yield* standing(keys[place]!, byKey);
}

function precedes(left: ByteString, right: ByteString, reverse: boolean): boolean {
  return reverse ? left > right : left < right;
}

function* standing<V>(key: ByteString, byKey: TableChanges<V>): Generator<Entry<V>> {
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
