import type { Clock } from '../config/clock.js';
import { StoreUnavailableError } from './store.errors.js';
import { demandSpace, LmdbEnvironment, probeFile, textFormat } from './lmdb-environment.js';
import { GroupCommit, type EnqueueOptions, type Operation, type WriteStrategy } from './group-commit.js';
import { INTEGER_BYTES } from './key-encoding.js';
import { makeStoreFolder, openingError } from './store-folder.js';
import type { Changes, Table, ValueFormat } from './table.js';
import { WriteBehind } from './write-behind.js';
import { WriterLock } from './writer-lock.js';

/** JSON that nobody can change. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Objects as JSON texts. */
const jsonFormat: ValueFormat<JsonObject> = {
  encode: JSON.stringify,
  decode: (text) => {
    const value = JSON.parse(text) as JsonObject;
    freeze(value);
    return value;
  },
  keptCharacters: 8_388_608,
};

/**
 * The object itself, frozen with all that it holds: it can be kept and handed to every reader without being copied,
 * which would cost as much as its JSON text. An object that its text would change (`undefined`, a `Date`) is copied by
 * way of the text.
 * @throws TypeError for what has no JSON text
 */
export function frozenJson<T extends object>(value: T): T {
  if (freeze(value)) return value;
  const copy = JSON.parse(JSON.stringify(value)) as T;
  freeze(copy);
  return copy;
}

/** Values that JSON gives back unchanged. */
const EXACT_TYPES: ReadonlySet<string> = new Set(['string', 'boolean']);

/** @returns false, with part of it frozen, unless all of it is what its JSON text would give back */
// eslint-disable-next-line complexity -- one function, as every value that is stored comes by here
function freeze(value: object): boolean {
  if (Object.isFrozen(value)) return true;
  const isArray = Array.isArray(value);
  if (!isArray && Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members: readonly unknown[] = isArray ? value : Object.values(value);
  for (let place = 0; place < members.length; place += 1) {
    const member = members[place];
    if (member === null || EXACT_TYPES.has(typeof member)) continue;
    if (typeof member === 'object') {
      if (!freeze(member)) return false;
      // JSON has no NaN, no infinity and no -0.
    } else if (!Number.isFinite(member) || Object.is(member, -0)) return false;
  }
  Object.freeze(value);
  return true;
}

/**
 * Storage format: add, never change. `meta` holds the format's number, which is checked at open. Values are JSON texts,
 * keys as in key-encoding.ts. A later version of this program reads every earlier format.
 */
const format = '1';

/** Their order is stored: add at the end. */
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
  /** A folder of its own; created when it is missing. */
  readonly folder: string;
  /** true: on the disk before a write resolves. false: in the file, which reaches the disk behind and is never torn. */
  readonly durable: boolean;
  /** A write resolves at once, in memory, and reaches the file behind; for what may be lost. Not `durable`. */
  readonly writeBehind?: boolean;
  readonly clock: Clock;
  /** Reads beside a running writer, takes no lock, refuses every write. */
  readonly readOnly?: boolean;
  /** Milliseconds after which a silent holder on another machine or container is taken for dead; 10 s where absent. */
  readonly silence?: number;
  /** Stands between the queue and the disk, for fault tests. */
  readonly interceptCommit?: (commit: () => Promise<void>) => Promise<void>;
  /** Called once when another process has taken the folder over. The database has stopped by then and refuses all. */
  readonly onLost?: (error: StoreUnavailableError) => void;
  /** Told of what housekeeping cannot remove, once for each; it goes on with the rest. */
  readonly onFault?: (error: unknown) => void;
}

/** The folder was written by a program that this one does not understand. */
class EmbeddedStoreFormatError extends Error {
  readonly code = 'embedded_store_format';

  constructor(
    readonly folder: string,
    readonly found: string,
  ) {
    super(`The store in ${folder} has format ${found}; this program reads format ${format}.`);
    this.name = 'EmbeddedStoreFormatError';
  }
}

/** The folder's file ends before the data that it should hold, as a copy does that was cut off. */
class EmbeddedStoreDamagedError extends Error {
  readonly code = 'embedded_store_damaged';

  constructor(readonly folder: string) {
    super(`The store in ${folder} is damaged: its file is too short. Restore a backup.`);
    this.name = 'EmbeddedStoreDamagedError';
  }
}

/**
 * One lmdb file, and operations that are written to it one commit after another. Shared by the stores upon it: it closes
 * when the last of them has.
 */
export class EmbeddedDatabase {
  readonly readOnly: boolean;
  private readonly strategy: WriteStrategy;
  private isClosing = false;
  private closed: Promise<void> | undefined;
  private users = 0;
  private lost: StoreUnavailableError | undefined;

  constructor(
    private readonly environment: LmdbEnvironment,
    private readonly options: EmbeddedDatabaseOptions,
    private readonly lock: WriterLock | undefined,
  ) {
    const { clock, writeBehind = false, readOnly = false } = options;
    this.readOnly = readOnly;
    this.strategy = writeBehind ? new WriteBehind(clock, this.commit) : new GroupCommit(clock, this.commit);
    lock?.whenLost(() => this.lose());
  }

  get clock(): Clock {
    return this.options.clock;
  }

  /** Tells whoever runs the store of a fault that nobody waits for. */
  reportFault(error: unknown): void {
    this.options.onFault?.(error);
  }

  table(name: 'documents'): Table<JsonObject>;
  table(name: Exclude<TableName, 'documents'>): Table;
  table(name: TableName): Table<unknown>;
  table(name: TableName): Table<unknown> {
    return this.strategy.over(this.environment.table<unknown>(name));
  }

  /** @throws StoreUnavailableError when the database is closed. */
  ping(): void {
    if (this.isClosing) throw this.closedError();
    this.table('meta').get('format');
  }

  /**
   * Queues an operation. It must be synchronous and write only through its group, as it may be run again when another
   * of its group throws. The promise resolves with its result once what it wrote is committed.
   * @throws StoreUnavailableError
   */
  enqueue<T>(operation: Operation<T>, options: EnqueueOptions = {}): Promise<T> {
    if (this.isClosing) return Promise.reject(this.closedError());
    if (this.readOnly) {
      return Promise.reject(new StoreUnavailableError('The embedded store is open for reading only.', false));
    }
    return this.strategy.enqueue(operation, options);
  }

  /** Resolves when the file holds whatever was written by now. @throws StoreUnavailableError */
  flush(): Promise<void> {
    return this.strategy.flush();
  }

  /**
   * Writes a copy of the store as it is at one instant, whoever writes meanwhile; what was removed is not in it.
   * @param folder one that is there, and empty
   * @throws StoreUnavailableError where its disk has no room
   */
  copyTo(folder: string): Promise<void> {
    return this.environment.copyTo(folder);
  }

  /** Called by a store that works upon the database. */
  retain(): void {
    this.users += 1;
  }

  /** The counterpart of {@link retain}. */
  async release(): Promise<void> {
    this.users -= 1;
    if (this.users <= 0) await this.close();
  }

  /** Finishes what was accepted and releases the file and its lock. Idempotent. */
  close(): Promise<void> {
    this.isClosing = true;
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  private async closeOnce(): Promise<void> {
    await this.strategy.finish();
    await this.environment.close();
    this.lock?.release();
  }

  /** Stops at once: what is stored belongs to another process now, and what is known of it here is out of date. */
  private lose(): void {
    if (this.isClosing) return;
    const { folder, onLost } = this.options;
    const text = `The store in ${folder} was taken over by another process, because this one did not respond for too long.`;
    const lost = new StoreUnavailableError(text, false);
    this.lost = lost;
    this.strategy.abandon(lost);
    void this.close();
    // An error here must not keep waiting callers from their answer.
    if (onLost !== undefined) queueMicrotask(() => onLost(lost));
  }

  private closedError(): StoreUnavailableError {
    return this.lost ?? new StoreUnavailableError('The embedded store is closed.', false);
  }

  private readonly commit = async (changes: Changes): Promise<void> => {
    const { interceptCommit } = this.options;
    const commit = (): Promise<void> => this.environment.commit(changes);
    try {
      await (interceptCommit === undefined ? commit() : interceptCommit(commit));
    } catch (error) {
      if (!this.environment.isOvertaken) throw error;
      this.lose();
      throw this.closedError();
    }
  };
}

/**
 * Opens the store in a folder.
 * @throws EmbeddedStoreLockedError when another process writes it.
 * @throws EmbeddedStoreFormatError
 * @throws EmbeddedStoreDamagedError
 * @throws StoreUnavailableError when it is opened for reading only and there is none yet, or when the
 * folder cannot be made or the disk is full.
 */
export async function openEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    demandSoundFile(options);
    if (options.readOnly === true) return await openEnvironment(options, undefined);
    makeStoreFolder(options.folder);
    demandSpace(options.folder);
    return await openEnvironment(options, await WriterLock.acquire(options.folder, options.silence));
  } catch (error) {
    throw openingError(options.folder, error);
  }
}

function demandSoundFile({ folder, readOnly }: EmbeddedDatabaseOptions): void {
  const file = probeFile(folder);
  if (file === 'foreign') throw new EmbeddedStoreFormatError(folder, 'unknown');
  if (file === 'damaged') throw new EmbeddedStoreDamagedError(folder);
  if (readOnly === true && file === 'absent') {
    throw new StoreUnavailableError(`There is no store in ${folder}.`, false);
  }
}

/** @param lock undefined for a reader; given back where the opening fails */
async function openEnvironment(
  options: EmbeddedDatabaseOptions,
  lock: WriterLock | undefined,
): Promise<EmbeddedDatabase> {
  const { folder, durable, readOnly = false } = options;
  try {
    const environment = new LmdbEnvironment({ folder, durable, readOnly, tables: tableNames });
    try {
      prepare(environment, folder, lock);
      // The first read outside a commit: it fails where a process of another container has the same number.
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

/** @param lock undefined for a reader */
function prepare(environment: LmdbEnvironment, folder: string, lock: WriterLock | undefined): void {
  if (lock === undefined) return openTables(environment, folder);
  // All in one commit: each would be waited for.
  environment.exclusively(() => {
    openTables(environment, folder, format);
    // From here on a former holder that had only stopped cannot write.
    environment.claim(() => lock.confirm());
  });
}

/** Keys begin with the numbers of a collection and of its index. */
const indexFormat: ValueFormat<string> = { ...textFormat, keptRangesPrefix: 2 * INTEGER_BYTES };

/** @param fresh the format that a store is given which has none yet */
function openTables(environment: LmdbEnvironment, folder: string, fresh?: string): void {
  environment.table('documents', jsonFormat);
  environment.table('indexes', indexFormat);
  for (const name of tableNames) environment.table(name);
  const meta = environment.table('meta');
  const found = meta.get('format') ?? fresh;
  if (found !== format) throw new EmbeddedStoreFormatError(folder, found ?? 'none');
  if (fresh !== undefined) meta.put('format', fresh);
}
