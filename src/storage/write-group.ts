import type { ByteString } from './key-encoding.js';
import type { Table } from './lmdb-environment.js';

/**
 * What the operations of one commit have written so far, over the last commit. Each operation reads what those before
 * it wrote.
 */
export class WriteGroup {
  readonly changes = new Map<Table, Map<ByteString, string | undefined>>();
  private readonly effects: (() => void)[] = [];
  private readonly regrets: (() => void)[] = [];
  size = 0;

  get(table: Table, key: ByteString): string | undefined {
    const changes = this.changes.get(table);
    if (changes !== undefined) {
      const value = changes.get(key);
      if (value !== undefined || changes.has(key)) return value;
    }
    return table.get(key);
  }

  put(table: Table, key: ByteString, value: string): void {
    this.change(table, key, value);
  }

  remove(table: Table, key: ByteString): void {
    this.change(table, key, undefined);
  }

  /** Runs `effect` once the commit has succeeded, before any promise of the group resolves. */
  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  committed(): void {
    for (const effect of this.effects) effect();
  }

  /** Runs `regret` once the commit has failed, before any promise of the group rejects: it may have landed none the less. */
  afterFailure(regret: () => void): void {
    this.regrets.push(regret);
  }

  failed(): void {
    for (const regret of this.regrets) regret();
  }

  private change(table: Table, key: ByteString, value: string | undefined): void {
    let changes = this.changes.get(table);
    if (changes === undefined) {
      changes = new Map();
      this.changes.set(table, changes);
    }
    changes.set(key, value);
    this.size += 1;
  }
}
