import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { StoreUnavailableError } from './store.errors.js';
import type { ByteString } from './key-encoding.js';
import { LmdbTable, pageBytes } from './lmdb-table.js';
import type { StoreChanges, ValueFormat } from './table.js';

/** Bytes that stay free on the disk, for a stop and a start of the service. */
const HEADROOM = 16_777_216;

/**
 * Refuses a write if the disk may be too small for it. A write that fails in lmdb may end the process: lmdb overruns its
 * buffer for the error text (`last_error` in its mdb.c).
 * @throws StoreUnavailableError
 */
export function demandSpace(folder: string, bytes = 0): void {
  const free = freeBytes(folder);
  if (free >= HEADROOM + bytes) return;
  throw new StoreUnavailableError(`The disk has too little free space: ${folder}.`, false);
}

/** Infinity if the system does not know. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}

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
  cachedCharacters: 0,
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
  private readonly root: RootDatabase<string, string>;
  private readonly tables = new Map<string, LmdbTable<unknown>>();
  /** One lmdb database for all tables, because a commit costs time for each database that it changes. */
  private data: Database<string, string> | undefined;
  private fences: Database<string, string> | undefined;
  private fence: number | undefined;
  /** True after a commit that found the fence of another process. */
  isOvertaken = false;

  constructor(readonly options: EnvironmentOptions) {
    this.root = open<string, string>({
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
    let table = this.tables.get(name) as LmdbTable<V> | undefined;
    if (table === undefined) {
      const options = { name: 'data', encoding: 'string' as const, keyEncoder };
      this.data ??= this.root.openDB<string, string>(options) as Database<string, string> | undefined;
      // A read-only process may come before the writing process has created it.
      if (this.data === undefined) {
        throw new StoreUnavailableError(`The store in ${this.options.folder} holds no data.`, false);
      }
      const prefix = String.fromCharCode(this.options.tables.indexOf(name) + 1);
      table = new LmdbTable(name, prefix, this.data, this, format);
      this.tables.set(name, table);
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
    const fences = this.root.openDB<string, string>(options);
    confirm();
    this.fence = (fences.getEntry(fenceKey)?.version ?? 0) + 1;
    void fences.put(fenceKey, String(this.fence), this.fence);
    this.fences = fences;
  }

  /** Writes all changes or none. Resolves when they are visible and, if the environment is durable, on the disk. */
  async commit(changes: StoreChanges): Promise<void> {
    if (this.fences === undefined) throw new Error('An environment is claimed before anything is committed.');
    const tables: LmdbTable<unknown>[] = [];
    let bytes = 0;
    for (const [{ name }, entries] of changes) {
      const table = this.table<unknown>(name);
      bytes += table.prepare(entries);
      tables.push(table);
    }
    demandSpace(this.options.folder, bytes);
    let isWritten = false;
    try {
      isWritten = await this.fences.ifVersion(fenceKey, this.fence!, () => {
        for (const table of tables) table.write();
      });
    } catch (error) {
      const failure = await commitFailure(error);
      // The next read must see the file as the failed commit left it.
      this.root.resetReadTxn();
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
    return this.root.transactionSync(action);
  }

  /** Copies the data of one instant into a new file, without free pages. */
  async copyTo(folder: string): Promise<void> {
    demandSpace(folder, statSync(dataFile(this.options.folder)).size);
    await this.root.backup(dataFile(folder), true);
  }

  async close(): Promise<void> {
    this.isOpen = false;
    await this.root.close();
  }
}

function dataFile(folder: string): string {
  return join(folder, 'data.mdb');
}

const lmdbMagic = 0xbeefc0de;
const magicOffset = 24;

/**
 * Checks the store's file before lmdb opens it: lmdb ends the process for a file of another kind or one that is too
 * short.
 */
export function probeFile(folder: string): 'absent' | 'lmdb' | 'foreign' | 'damaged' {
  const path = dataFile(folder);
  if (!existsSync(path)) return 'absent';
  const header = Buffer.alloc(headerBytes);
  const file = openSync(path, 'r');
  const length = readSync(file, header);
  closeSync(file);
  if (length === 0) return 'absent';
  const isLmdb = [header.readUInt32LE(magicOffset), header.readUInt32BE(magicOffset)].includes(lmdbMagic);
  if (!isLmdb) return 'foreign';
  return endsEarly(path, header) && !isReadableElsewhere(path) ? 'damaged' : 'lmdb';
}

const headerBytes = 160;
const pageSizeOffset = 48;
const lastPageOffset = 144;

/** True if the file is shorter than its first page says. It may still be complete: lmdb need not write the last pages. */
function endsEarly(path: string, header: Buffer): boolean {
  const { size } = statSync(path);
  const pages = Number(header.readBigUInt64LE(lastPageOffset)) + 1;
  return size < header.readUInt32LE(pageSizeOffset) * pages;
}

const readEverything = `
  const { open } = require(process.argv[1]);
  const binary = { encoding: 'binary', keyEncoding: 'binary' };
  const root = open({ path: process.argv[2], noSubdir: true, readOnly: true, maxDbs: 24, ...binary });
  for (const name of [...root.getKeys()].map(String)) {
    for (const entry of root.openDB({ name, ...binary }).getRange()) entry.value.length;
  }`;

/** Reads the whole file in a child process, which lmdb ends if a page is missing. */
function isReadableElsewhere(path: string): boolean {
  const parameters = ['-e', readEverything, require.resolve('lmdb'), path];
  return spawnSync(process.execPath, parameters, { stdio: 'ignore' }).status === 0;
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
