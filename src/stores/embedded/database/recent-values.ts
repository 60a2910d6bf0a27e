import { LRUCache } from 'lru-cache';
import type { ByteString } from './key-encoding.js';

/** A value from this size on costs milliseconds to decode. */
const LARGE_CHARACTERS = 262_144;

export interface CacheSizes {
  /** Of all small values. */
  readonly characters: number;
  /** Of all large values. A value beyond it is never kept. */
  readonly largeCharacters: number;
}

/** Decoded values that were used last. Large ones have room of their own: a few of them would push out all others. */
export class RecentValues {
  readonly #small: LRUCache<ByteString, object | string>;
  readonly #large: LRUCache<ByteString, object | string>;

  constructor({ characters, largeCharacters }: CacheSizes) {
    this.#small = new LRUCache({ maxSize: characters });
    this.#large = new LRUCache({ maxSize: largeCharacters });
  }

  get(key: ByteString): object | string | undefined {
    return this.#small.get(key) ?? this.#large.get(key);
  }

  /** @param size in characters of the encoded value */
  set(key: ByteString, value: object | string, size: number): void {
    this.delete(key);
    const kept = size < LARGE_CHARACTERS ? this.#small : this.#large;
    kept.set(key, value, { size });
  }

  delete(key: ByteString): void {
    this.#small.delete(key);
    this.#large.delete(key);
  }

  clear(): void {
    this.#small.clear();
    this.#large.clear();
  }
}
