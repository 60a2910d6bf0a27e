import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { open, type RootDatabase } from 'lmdb';
import { isSystemError } from './system-error.js';

/** Another process has the folder open for writing. */
export class EmbeddedStoreLockedError extends Error {
  readonly code = 'embedded_store_locked';

  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(`The store in ${folder} is in use by process ${pid}. Stop that process first.`);
    this.name = 'EmbeddedStoreLockedError';
  }
}

interface Holder {
  readonly pid: number;
  /** Tells the process from a later one with the same number; null where the system does not say. */
  readonly started: string | null;
  /** Process numbers mean something only within it: a boot of a machine and a container upon it. */
  readonly machine: string;
}

const holderKey = 'holder';
/** Folders that this process holds. What else bears its name in a lock file was left by a release that failed. */
const heldHere = new Set<string>();
const heartbeatMilliseconds = 2_000;
const silenceMilliseconds = 10_000;

/**
 * The right to write a folder, kept in a small lmdb file of its own whose transactions exclude other processes and die
 * with theirs. A dead holder is recognised at once within the same machine and container, elsewhere by its silence,
 * which may err: one that only stood still finds out by its heartbeat, and before that its commits are refused.
 */
export class WriterLock {
  private readonly heartbeat: NodeJS.Timeout;
  private isLost = false;
  private report: () => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly holder: string,
    private readonly database: RootDatabase<string, string>,
  ) {
    this.heartbeat = setInterval(() => this.beat(), heartbeatMilliseconds);
    this.heartbeat.unref();
    heldHere.add(realpathSync(folder));
    this.beat();
  }

  /**
   * @param silence milliseconds after which a holder that cannot be seen from here is taken for dead
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

  /** `report` is called once when another process is found to hold the folder, which this one did not release. */
  whenLost(report: () => void): void {
    this.report = report;
    if (this.isLost) report();
  }

  /** @throws EmbeddedStoreLockedError when another process has taken the folder since. */
  confirm(): void {
    const found = this.found();
    if (found !== this.holder) throw new EmbeddedStoreLockedError(this.folder, pidOf(found));
  }

  /** Never throws: a lock that a full disk keeps is recognised as left behind. */
  release(): void {
    clearInterval(this.heartbeat);
    try {
      heldHere.delete(realpathSync(this.folder));
      this.database.transactionSync(() => {
        if (this.database.get(holderKey) === this.holder) this.database.removeSync(holderKey);
      });
    } catch {
      // The folder may be gone as well, under a test or a demonstration.
    }
    void this.database.close();
  }

  /** Shows that the holder lives, having made sure that it is still this one: it may have stood still for long. */
  private beat(): void {
    try {
      this.isLost = this.found() !== this.holder;
      if (!this.isLost) {
        const now = new Date();
        utimesSync(lockFile(this.folder), now, now);
      }
    } catch {
      // The folder may have been removed under a test or a demonstration.
    }
    if (!this.isLost) return;
    clearInterval(this.heartbeat);
    this.report();
  }

  private found(): string | undefined {
    // A reading that began before the process stood still would not see what came after.
    this.database.resetReadTxn();
    return this.database.get(holderKey);
  }
}

interface Claim {
  readonly me: Holder;
  readonly text: string;
  readonly silence: number;
}

/** Writes the holder into the lock file as soon as no living one stands there. @throws EmbeddedStoreLockedError */
async function take(database: RootDatabase<string, string>, folder: string, claim: Claim): Promise<void> {
  const { me, text, silence } = claim;
  let silentHolder: string | undefined;
  for (;;) {
    const rival = database.transactionSync(() => {
      const found = database.get(holderKey);
      if (found !== undefined && found !== silentHolder && !isGone(found, me, folder)) return found;
      database.putSync(holderKey, text);
      return undefined;
    });
    if (rival === undefined) return;
    const { pid, machine } = JSON.parse(rival) as Holder;
    if (machine === me.machine || !(await keepsSilent(folder, silence))) {
      throw new EmbeddedStoreLockedError(folder, pid);
    }
    silentHolder = rival;
  }
}

/** The holder's process; 0 where nobody holds the folder. */
function pidOf(holder: string | undefined): number {
  return holder === undefined ? 0 : (JSON.parse(holder) as Holder).pid;
}

function lockFile(folder: string): string {
  return join(folder, 'writer.mdb');
}

function isGone(text: string, me: Holder, folder: string): boolean {
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

/** When a process began, in whatever form the system tells; a process that has ended but is not yet collected has no start. */
function processStart(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      // The name before it, in parentheses, may hold anything.
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

/** Watches a holder whose process cannot be seen from here: a living one touches its lock file. */
async function keepsSilent(folder: string, silence: number): Promise<boolean> {
  const first = statSync(lockFile(folder)).mtimeMs;
  const until = Date.now() + silence;
  while (Date.now() < until) {
    await pause(Math.min(500, silence));
    if (statSync(lockFile(folder)).mtimeMs !== first) return false;
  }
  return true;
}
