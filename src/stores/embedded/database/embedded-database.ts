import type { Clock } from '#kernel/clock.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { assertSpace } from './disk-space.js';
import { LmdbEnvironment } from './lmdb-environment.js';
import { probeFile } from './lmdb-file.js';
import { GroupCommit, type EnqueueOptions, type GroupOperation, type WriteStrategy } from './group-commit.js';
import {
  EmbeddedStoreDamagedError,
  EmbeddedStoreFormatError,
  makeStoreFolder,
  openingError,
} from './store-folder.js';
import type { StoreChanges, StoreTable } from './table.js';
import { WriteBehind } from './write-behind.js';
import { WriterLock } from './writer-lock.js';
import { type FrozenObject, jsonFormat } from './json-object.js';

/**
 * Storage format: add, never change. The table `meta` contains this number. Later versions of the program read every
 * earlier format. Values are JSON texts; key-encoding.ts describes the keys.
 */
const format = '1';

/** Keys begin with a table's index in this list: add at the end. */
export const tableNames = [
  'meta',
  'events',
  'revisions',
  'streams',
  'collections',
  'documents',
  'indexes',
  'expiry',
  'leases',
  'garbage',
] as const;

type TableName = (typeof tableNames)[number];

export interface EmbeddedDatabaseOptions {
  /** A folder for this database alone; created if it is missing. */
  readonly folder: string;
  /**
   * true: a write is on the disk before it resolves. false: it is in the file, and reaches the disk later. The file stays
   * consistent in both cases.
   */
  readonly durable: boolean;
  /** A write resolves when it is in memory, and reaches the file later. For views, which may be lost. Not `durable`. */
  readonly writeBehind?: boolean;
  readonly clock: Clock;
  /** Takes no lock and refuses every write. It may read while another process writes. */
  readonly readOnly?: boolean;
  /** See {@link WriterLock.acquire}. */
  readonly silence?: number;
  /** Wraps each commit, for fault tests. */
  readonly interceptCommit?: (commit: () => Promise<void>) => Promise<void>;
  /** Called once if another process takes the folder over. The database then refuses all operations. */
  readonly onLost?: (error: StoreUnavailableError) => void;
  /** Called for each entry that housekeeping cannot remove. */
  readonly onFault?: (error: unknown) => void;
}

/** One lmdb file that several stores share. It closes together with the last of them. */
export class EmbeddedDatabase {
  readonly readOnly: boolean;
  readonly #strategy: WriteStrategy;
  #isClosing = false;
  #closed: Promise<void> | undefined;
  #users = 0;
  #lost: StoreUnavailableError | undefined;

  constructor(
    private readonly environment: LmdbEnvironment,
    private readonly options: EmbeddedDatabaseOptions,
    private readonly lock: WriterLock | undefined,
  ) {
    const { clock, writeBehind = false, readOnly = false } = options;
    this.readOnly = readOnly;
    this.#strategy = writeBehind
      ? new WriteBehind(clock, this.#commit)
      : new GroupCommit(clock, this.#commit);
    lock?.whenLost(() => this.#lose());
  }

  /** Reports a fault of work that no caller waits for. */
  reportFault(error: unknown): void {
    this.options.onFault?.(error);
  }

  table(name: 'documents'): StoreTable<FrozenObject>;
  table(name: Exclude<TableName, 'documents'>): StoreTable;
  table(name: TableName): StoreTable<unknown>;
  table(name: TableName): StoreTable<unknown> {
    return this.#strategy.withPending(this.environment.table<unknown>(name));
  }

  /** @throws StoreUnavailableError after the database is closed */
  ping(): void {
    if (this.#isClosing) throw this.#closedError();
    this.table('meta').get('format');
  }

  /**
   * Queues an operation. It must be synchronous and write only through its group: it runs again if another operation of
   * the group throws. The promise resolves with its result after the commit.
   * @throws StoreUnavailableError
   */
  enqueue<T>(operation: GroupOperation<T>, options: EnqueueOptions = {}): Promise<T> {
    if (this.#isClosing) return Promise.reject(this.#closedError());
    if (this.readOnly) {
      return Promise.reject(new StoreUnavailableError('The embedded store is open for reading only.', false));
    }
    return this.#strategy.enqueue(operation, options);
  }

  /** Resolves when the file contains all earlier writes. @throws StoreUnavailableError */
  flush(): Promise<void> {
    return this.#strategy.flush();
  }

  /**
   * Copies the store as it is at one instant; writes may go on. Removed data is not in the copy.
   * @param folder an existing empty folder
   * @throws StoreUnavailableError if its disk has too little space
   */
  copyTo(folder: string): Promise<void> {
    return this.environment.copyTo(folder);
  }

  /** Called by each store that uses the database. */
  retain(): void {
    this.#users += 1;
  }

  /** Called once for each {@link retain}. */
  async release(): Promise<void> {
    this.#users -= 1;
    if (this.#users <= 0) await this.close();
  }

  /** Finishes accepted operations, then releases the file and its lock. Idempotent. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    await this.#strategy.finish();
    await this.environment.close();
    this.lock?.release();
  }

  /** Stops at once, because another process writes the folder now. */
  #lose(): void {
    if (this.#isClosing) return;
    const { folder, onLost } = this.options;
    const text = `The store in ${folder} was taken over by another process, because this one did not respond for too long.`;
    const lost = new StoreUnavailableError(text, false);
    this.#lost = lost;
    this.#strategy.abandon(lost);
    void this.close();
    // In a microtask, so that an error of `onLost` does not keep callers from their answer.
    if (onLost !== undefined) queueMicrotask(() => onLost(lost));
  }

  #closedError(): StoreUnavailableError {
    return this.#lost ?? new StoreUnavailableError('The embedded store is closed.', false);
  }

  readonly #commit = async (changes: StoreChanges): Promise<void> => {
    const { interceptCommit } = this.options;
    const commit = (): Promise<void> => this.environment.commit(changes);
    try {
      await (interceptCommit === undefined ? commit() : interceptCommit(commit));
    } catch (error) {
      if (!this.environment.isOvertaken) throw error;
      this.#lose();
      throw this.#closedError();
    }
  };
}

/**
 * Opens the store in a folder.
 * @throws EmbeddedStoreLockedError if another process writes it
 * @throws EmbeddedStoreFormatError
 * @throws EmbeddedStoreDamagedError
 * @throws StoreUnavailableError if there is no store to read, the folder cannot be made, or the disk is full
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    assertSoundFile(options);
    if (options.readOnly === true) return await openEnvironment(options, undefined);
    makeStoreFolder(options.folder);
    assertSpace(options.folder);
    return await openEnvironment(options, await WriterLock.acquire(options.folder, options.silence));
  } catch (error) {
    throw openingError(options.folder, error);
  }
}

function assertSoundFile({ folder, readOnly }: EmbeddedDatabaseOptions): void {
  const file = probeFile(folder);
  if (file === 'foreign') throw new EmbeddedStoreFormatError(folder, 'unknown', format);
  if (file === 'damaged') throw new EmbeddedStoreDamagedError(folder);
  if (readOnly === true && file === 'absent') {
    throw new StoreUnavailableError(`There is no store in ${folder}.`, false);
  }
}

/** @param lock undefined for `readOnly`; released if the opening fails */
async function openEnvironment(
  options: EmbeddedDatabaseOptions,
  lock: WriterLock | undefined,
): Promise<EmbeddedDatabase> {
  const { folder, durable, readOnly = false } = options;
  try {
    const environment = new LmdbEnvironment({ folder, durable, readOnly, tables: tableNames });
    try {
      prepare(environment, folder, lock);
      // This first read fails if a process in another container uses the folder with the same process number.
      environment.table('meta').get('format');
    } catch (error) {
      await environment.close();
      throw error;
    }
    return new EmbeddedDatabase(environment, options, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** @param lock undefined for `readOnly` */
function prepare(environment: LmdbEnvironment, folder: string, lock: WriterLock | undefined): void {
  if (lock === undefined) return openTables(environment, folder);
  // One commit for all tables: the process waits for each commit.
  environment.exclusively(() => {
    openTables(environment, folder, format);
    // From here on a former writer that had only paused cannot write.
    environment.claim(() => lock.confirm());
  });
}

/** @param fresh the format to write into a new store */
function openTables(environment: LmdbEnvironment, folder: string, fresh?: string): void {
  environment.table('documents', jsonFormat);
  for (const name of tableNames) environment.table(name);
  const meta = environment.table('meta');
  const found = meta.get('format') ?? fresh;
  if (found !== format) throw new EmbeddedStoreFormatError(folder, found ?? 'none', format);
  if (fresh !== undefined) meta.put('format', fresh);
}
