import type { ByteString } from './key-encoding.js';
import type { Table } from './table.js';

/**
 * What the operations of one commit have written so far, over what stands. Each operation reads what those before it
 * wrote.
 */
export class WriteGroup {
  readonly changes = new Map<Table<unknown>, Map<ByteString, unknown>>();
  private readonly effects: (() => void)[] = [];
  private readonly failureEffects: (() => void)[] = [];
  size = 0;

  get<V>(table: Table<V>, key: ByteString): V | undefined {
    const value = this.changes.get(table)?.get(key) as V | null | undefined;
    return value === undefined ? table.get(key) : (value ?? undefined);
  }

  put<V>(table: Table<V>, key: ByteString, value: V): void {
    this.change(table, key, value);
  }

  remove(table: Table<unknown>, key: ByteString): void {
    this.change(table, key, null);
  }

  /** Runs `effect` once what was written stands, before any promise of the group resolves. */
  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  committed(): void {
    for (const effect of this.effects) effect();
  }

  /** Runs `effect` once the commit has failed, before any promise of the group rejects: it may have landed none the less. */
  afterFailure(effect: () => void): void {
    this.failureEffects.push(effect);
  }

  failed(): void {
    for (const effect of this.failureEffects) effect();
  }

  private change(table: Table<unknown>, key: ByteString, value: unknown): void {
    let changes = this.changes.get(table);
    if (changes === undefined) {
      changes = new Map();
      this.changes.set(table, changes);
    }
    changes.set(key, value);
    this.size += 1;
  }
}
