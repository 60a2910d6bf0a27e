import type { ByteString } from './key-encoding.js';

interface Recent<V> {
  readonly value: V;
  readonly characters: number;
}

/** Values that were used lately, in two generations: what is not used while the younger one fills up is forgotten. */
export class RecentValues<V> {
  private young = new Map<ByteString, Recent<V>>();
  private old = new Map<ByteString, Recent<V>>();
  private characters = 0;

  constructor(private readonly mostCharacters: number) {}

  get(key: ByteString): V | undefined {
    const young = this.young.get(key);
    if (young !== undefined) return young.value;
    const old = this.old.get(key);
    if (old !== undefined) this.keep(key, old);
    return old?.value;
  }

  set(key: ByteString, value: V, characters: number): void {
    this.keep(key, { value, characters });
  }

  /** @param value null where it is gone */
  change(key: ByteString, value: V | null, characters: number): void {
    if (value !== null) return this.set(key, value, characters);
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }

  private keep(key: ByteString, recent: Recent<V>): void {
    this.young.set(key, recent);
    this.characters += recent.characters;
    if (this.characters < this.mostCharacters / 2) return;
    this.old = this.young;
    this.young = new Map();
    this.characters = 0;
  }
}
