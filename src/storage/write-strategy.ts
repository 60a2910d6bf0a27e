import type { StoreUnavailableError } from './store.errors.js';
import type { Changes, Table } from './table.js';
import type { WriteGroup } from './write-group.js';

/** Decides on what stands and on what earlier operations wrote, and writes through the group. Synchronous. */
export type Operation<T> = (group: WriteGroup) => T;

/** Writes all changes to the file, or none. @throws StoreUnavailableError */
export type Commit = (changes: Changes) => Promise<void>;

/** The way of operations to the file. */
export interface WriteStrategy {
  /** What operations and reads see of a table. */
  over<V>(table: Table<V>): Table<V>;
  /**
   * Runs an operation after those that came before it; a promise that rejects promises that it wrote nothing, unless the
   * error says otherwise.
   * @param alone whether later operations are to be decided only after its commit and the effects of that
   */
  enqueue<T>(operation: Operation<T>, alone: boolean): Promise<T>;
  /** Resolves when the file holds what has been acknowledged by now. @throws StoreUnavailableError */
  flush(): Promise<void>;
  /** Refuses what waits; the file belongs to somebody else from now on. */
  abandon(error: StoreUnavailableError): void;
  /** Resolves once everything that was accepted has reached the file, or cannot. */
  finish(): Promise<void>;
}
