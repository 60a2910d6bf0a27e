import { ChangeLayer } from './change-layer.js';
import type { ByteString } from './key-encoding.js';
import type { Entry, KeyRange, Table, TableChanges } from './table.js';

/** A table whose latest changes are in memory, over those that are on their way to the file, over the file. */
export class BufferedTable implements Table {
  private waiting = new ChangeLayer();
  private flushing: ChangeLayer | undefined;

  constructor(private readonly file: Table) {}

  get name(): string {
    return this.file.name;
  }

  get(key: ByteString): string | undefined {
    let value = this.waiting.byKey.get(key);
    if (value === undefined) value = this.flushing?.byKey.get(key);
    return value === undefined ? this.file.get(key) : (value ?? undefined);
  }

  entries(range: KeyRange): Iterable<Entry> {
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

  /** @returns how many keys wait that did not before */
  apply(changes: TableChanges): number {
    const { size } = this.waiting.byKey;
    for (const [key, value] of changes) this.waiting.set(key, value);
    return this.waiting.byKey.size - size;
  }

  /** Sends what waits on its way, and returns it. */
  beginFlush(): TableChanges {
    this.flushing = this.waiting;
    this.waiting = new ChangeLayer();
    return this.flushing.byKey;
  }

  /** The file holds what was on its way. */
  endFlush(): void {
    this.flushing = undefined;
  }
}

interface Overlay {
  readonly keys: readonly ByteString[];
  readonly byKey: TableChanges;
  readonly reverse: boolean;
}

/** Entries of both in one order; where both have a key, the overlay counts. */
function* overlaid(below: Iterable<Entry>, { keys, byKey, reverse }: Overlay): Generator<Entry> {
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

function* standing(key: ByteString, byKey: TableChanges): Generator<Entry> {
  const value = byKey.get(key);
  if (typeof value === 'string') yield { key, value };
}

function* first(limit: number, entries: Iterable<Entry>): Generator<Entry> {
  let left = limit;
  for (const entry of entries) {
    if (left <= 0) return;
    left -= 1;
    yield entry;
  }
}
