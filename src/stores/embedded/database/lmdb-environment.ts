import { statSync } from 'node:fs';
import { open, type Database, type RootDatabase } from 'lmdb';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { ByteString } from './key-encoding.js';
import { LmdbTable, pageBytes } from './lmdb-table.js';
import type { StoreChanges, ValueFormat } from './table.js';
import { assertSpace } from './disk-space.js';
import { dataFile } from './lmdb-file.js';

interface EnvironmentOptions {
  /** All table names. A key begins with the index of its table, so the order must stay. */
  readonly tables: readonly string[];
  readonly folder: string;
  readonly durable: boolean;
  readonly readOnly: boolean;
}

const textFormat: ValueFormat<string> = {
  encode: String,
  decode: String,
  cache: null,
};

const keyEncoder = {
  writeKey(key: ByteString, target: Buffer, start: number): number {
    // On a RangeError lmdb tries again with a larger buffer. Without it, lmdb would write a cut key.
    if (start + key.length > target.length) throw new RangeError('The key does not fit in the buffer.');
    return start + target.write(key, start, 'latin1');
  },
  readKey(source: Buffer, start: number, end: number): ByteString {
    return source.toString('latin1', start, end);
  },
};

const fenceKey = 'writer';

/** One lmdb file with tables and atomic commits. */
export class LmdbEnvironment {
  isOpen = true;
  readonly #root: RootDatabase<string, string>;
  readonly #tables = new Map<string, LmdbTable<unknown>>();
  /** One lmdb database for all tables, because a commit costs time for each database that it changes. */
  #data: Database<string, string> | undefined;
  #fences: Database<string, string> | undefined;
  #fence: number | undefined;
  /** True after a commit that found the fence of another process. */
  isOvertaken = false;

  constructor(readonly options: EnvironmentOptions) {
    this.#root = open<string, string>({
      path: dataFile(options.folder),
      noSubdir: true,
      encoding: 'string',
      keyEncoder,
      maxDbs: 2,
      pageSize: pageBytes,
      readOnly: options.readOnly,
      // Otherwise lmdb makes promises whose rejection on a full disk nobody could handle.
      eventTurnBatching: false,
      // With lmdb's default a commit resolves before it is on the disk.
      overlappingSync: !options.durable && !options.readOnly,
    });
  }

  table<V = string>(name: string, format: ValueFormat<V> = textFormat as ValueFormat<V>): LmdbTable<V> {
    let table = this.#tables.get(name) as LmdbTable<V> | undefined;
    if (table === undefined) {
      const options = { name: 'data', encoding: 'string' as const, keyEncoder };
      this.#data ??= this.#root.openDB<string, string>(options) as Database<string, string> | undefined;
      // A read-only process may come before the writing process has created it.
      if (this.#data === undefined) {
        throw new StoreUnavailableError(`The store in ${this.options.folder} holds no data.`, false);
      }
      const prefix = String.fromCharCode(this.options.tables.indexOf(name) + 1);
      table = new LmdbTable(name, prefix, this.#data, this, format);
      this.#tables.set(name, table);
    }
    return table;
  }

  /** True if another process may write while this one reads. */
  get isShared(): boolean {
    return this.options.readOnly;
  }

  /**
   * Makes this process the only one that can commit: it increments a stored fence, which every commit compares. Only for
   * use within {@link exclusively}.
   * @param confirm if it throws, nothing changes
   */
  claim(confirm: () => void): void {
    const options = { name: 'fences', encoding: 'string' as const, keyEncoder, useVersions: true };
    const fences = this.#root.openDB<string, string>(options);
    confirm();
    this.#fence = (fences.getEntry(fenceKey)?.version ?? 0) + 1;
    void fences.put(fenceKey, String(this.#fence), this.#fence);
    this.#fences = fences;
  }

  /** Writes all changes or none. Resolves when they are visible and, if the environment is durable, on the disk. */
  async commit(changes: StoreChanges): Promise<void> {
    if (this.#fences === undefined)
      throw new Error('An environment is claimed before anything is committed.');
    const tables: LmdbTable<unknown>[] = [];
    let bytes = 0;
    for (const [{ name }, entries] of changes) {
      const table = this.table<unknown>(name);
      bytes += table.prepare(entries);
      tables.push(table);
    }
    assertSpace(this.options.folder, bytes);
    let isWritten = false;
    try {
      isWritten = await this.#fences.ifVersion(fenceKey, this.#fence!, () => {
        for (const table of tables) table.write();
      });
    } catch (error) {
      const failure = await commitFailure(error);
      // The next read must see the file as the failed commit left it.
      this.#root.resetReadTxn();
      throw failure;
    } finally {
      for (const table of tables) table.settle(isWritten);
    }
    if (isWritten) return;
    this.isOvertaken = true;
    throw new StoreUnavailableError('The embedded store was taken over by another process.', false);
  }

  /** Runs reads and writes in a transaction that excludes every other process. It blocks, so it is only for opening. */
  exclusively<T>(action: () => T): T {
    return this.#root.transactionSync(action);
  }

  /** Copies the data of one instant into a new file, without free pages. */
  async copyTo(folder: string): Promise<void> {
    assertSpace(folder, statSync(dataFile(this.options.folder)).size);
    await this.#root.backup(dataFile(folder), true);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await this.#root.close();
  }
}

const diskFull = 28;
const mapFull = -30_792;

/** lmdb gives the cause in a second promise, whose rejection must be handled. */
async function commitFailure(error: unknown): Promise<StoreUnavailableError> {
  let cause = error;
  try {
    await (error as { commitError?: Promise<unknown> }).commitError;
  } catch (commitError) {
    cause = commitError;
  }
  const code = (cause as { code?: unknown }).code;
  const isFull = code === diskFull || code === mapFull || code === 'ENOSPC';
  return new StoreUnavailableError('The embedded store could not commit.', !isFull, { cause });
}
