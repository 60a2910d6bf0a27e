import type { ByteString } from './key-encoding.js';
import type { KeyRange } from './table.js';

/** Changes of a table in memory, by key and in the order of the keys. */
export class ChangeLayer<V> {
  /** null where the key is removed. */
  readonly byKey = new Map<ByteString, V | null>();
  private sorted: ByteString[] = [];
  /** New keys since somebody asked for their order, which for most tables nobody does. */
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

  /** A few new keys are put in their places, which moves less than it takes to sort or to merge. */
  private sort(): void {
    const { sorted, unsorted } = this;
    if (unsorted.length === 0) return;
    this.unsorted = [];
    if (unsorted.length < sorted.length / 32) {
      for (const key of unsorted) sorted.splice(firstNotBelow(sorted, key), 0, key);
    } else {
      this.sorted = merged(sorted, unsorted.sort(compareBytes));
    }
  }
}

function merged(left: readonly ByteString[], right: readonly ByteString[]): ByteString[] {
  const keys: ByteString[] = [];
  let [leftPlace, rightPlace] = [0, 0];
  while (leftPlace < left.length && rightPlace < right.length) {
    keys.push(left[leftPlace]! < right[rightPlace]! ? left[leftPlace++]! : right[rightPlace++]!);
  }
  return keys.concat(left.slice(leftPlace), right.slice(rightPlace));
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

function compareBytes(left: ByteString, right: ByteString): number {
  return left < right ? -1 : 1;
}
