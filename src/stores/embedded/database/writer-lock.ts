import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { open, type RootDatabase } from 'lmdb';
import { isSystemError } from '#kernel/system-error.js';

/** Another process has the folder open for writing. */
export class EmbeddedStoreLockedError extends Error {
  readonly code = 'embedded_store_locked';

  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`The store in ${folder} is in use by process ${pid}. Stop that process first.`);
  }
}

interface Holder {
  readonly pid: number;
  /** Start of the process, because numbers are used again; null if the system does not know. */
  readonly started: string | null;
  /** Identifies the boot of a machine and the container: process numbers are unique only within it. */
  readonly machine: string;
}

const holderKey = 'holder';
/** Folders that this process holds. A lock of this process on another folder is left from a failed release. */
const heldHere = new Set<string>();
const heartbeatMilliseconds = 2_000;
const silenceMilliseconds = 10_000;

/**
 * The right to write a folder. A small lmdb file names the holder; its transactions exclude other processes. On the same
 * machine and container, a dead holder is recognised at once. Elsewhere it is recognised because it no longer touches
 * the file. That may be wrong: a holder that only paused notices it at its next heartbeat, and its commits are refused.
 */
export class WriterLock {
  readonly #heartbeat: NodeJS.Timeout;
  #isLost = false;
  #report: () => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly holder: string,
    private readonly database: RootDatabase<string, string>,
  ) {
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), heartbeatMilliseconds);
    this.#heartbeat.unref();
    heldHere.add(realpathSync(folder));
    this.#sendHeartbeat();
  }

  /**
   * @param silence milliseconds after which a holder on another machine or container counts as dead; 10 s if absent
   * @throws EmbeddedStoreLockedError
   */
  static async acquire(folder: string, silence = silenceMilliseconds): Promise<WriterLock> {
    const me: Holder = { pid: process.pid, started: processStart(process.pid), machine: machineName() };
    const text = JSON.stringify({ ...me, token: randomUUID() });
    const database = open<string, string>({
      path: lockFile(folder),
      noSubdir: true,
      encoding: 'string',
      overlappingSync: false,
    });
    try {
      await take(database, folder, { me, text, silence });
      return new WriterLock(folder, text, database);
    } catch (error) {
      await database.close();
      throw error;
    }
  }

  /** `report` is called once if another process takes the folder over. */
  whenLost(report: () => void): void {
    this.#report = report;
    if (this.#isLost) report();
  }

  /** @throws EmbeddedStoreLockedError if another process has taken the folder over */
  confirm(): void {
    const found = this.#found();
    if (found !== this.holder) throw new EmbeddedStoreLockedError(this.folder, pidOf(found));
  }

  /** Never throws: a lock that stays because of a full disk is recognised later. */
  release(): void {
    clearInterval(this.#heartbeat);
    try {
      heldHere.delete(realpathSync(this.folder));
      this.database.transactionSync(() => {
        if (this.database.get(holderKey) === this.holder) this.database.removeSync(holderKey);
      });
    } catch {
      // A test or the demo may have removed the folder.
    }
    void this.database.close();
  }

  /** Touches the lock file, if this process still holds the lock. */
  #sendHeartbeat(): void {
    try {
      this.#isLost = this.#found() !== this.holder;
      if (!this.#isLost) {
        const now = new Date();
        utimesSync(lockFile(this.folder), now, now);
      }
    } catch {
      // A test or the demo may have removed the folder.
    }
    if (!this.#isLost) return;
    clearInterval(this.#heartbeat);
    this.#report();
  }

  #found(): string | undefined {
    // Without this, a read transaction from before a pause would not see later writes.
    this.database.resetReadTxn();
    return this.database.get(holderKey);
  }
}

interface Claim {
  readonly me: Holder;
  readonly text: string;
  readonly silence: number;
}

/** Writes this holder into the lock file, if no living process holds it. @throws EmbeddedStoreLockedError */
async function take(database: RootDatabase<string, string>, folder: string, claim: Claim): Promise<void> {
  const { me, text, silence } = claim;
  let silentHolder: string | undefined;
  for (;;) {
    const rival = database.transactionSync(() => {
      const found = database.get(holderKey);
      if (found !== undefined && found !== silentHolder && !isDead(found, me, folder)) return found;
      database.putSync(holderKey, text);
      return undefined;
    });
    if (rival === undefined) return;
    const { pid, machine } = JSON.parse(rival) as Holder;
    if (machine === me.machine || !(await isSilent(folder, silence))) {
      throw new EmbeddedStoreLockedError(folder, pid);
    }
    silentHolder = rival;
  }
}

/** The holder's process number; 0 if nobody holds the folder. */
function pidOf(holder: string | undefined): number {
  return holder === undefined ? 0 : (JSON.parse(holder) as Holder).pid;
}

function lockFile(folder: string): string {
  return join(folder, 'writer.mdb');
}

function isDead(text: string, me: Holder, folder: string): boolean {
  const rival = JSON.parse(text) as Holder;
  if (rival.machine !== me.machine) return false;
  if (rival.pid === me.pid && rival.started === me.started) return !heldHere.has(realpathSync(folder));
  return !isAlive(rival.pid) || processStart(rival.pid) !== rival.started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isSystemError(error, 'EPERM');
  }
}

/** When a process began, in any form that the system gives. A zombie process counts as ended. */
function processStart(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The process name, in parentheses, may contain any character.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? null);
    }
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** True if nobody touches the lock file for this many milliseconds. */
async function isSilent(folder: string, silence: number): Promise<boolean> {
  const first = statSync(lockFile(folder)).mtimeMs;
  const until = Date.now() + silence;
  while (Date.now() < until) {
    await pause(Math.min(500, silence));
    if (statSync(lockFile(folder)).mtimeMs !== first) return false;
  }
  return true;
}
