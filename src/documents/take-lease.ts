import { type Deadline, GivenUpError } from '../config/breath.js';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { pause } from '../config/pause.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { DocumentStore } from './document-store.js';

const LEASE_MILLISECONDS = 10_000;
const PAUSE = 50;

/** A lease while it is held. */
export interface HeldLease {
  /**
   * Renews the lease. Called right before each write, so that nobody else can hold it by then.
   * @throws StoreUnavailableError where the lease was lost; nothing more may be written
   */
  readonly demand: () => Promise<void>;
  /**
   * Renews the lease and writes. A process that sleeps in between writes after another one took the lease: `undo` then
   * takes the write back.
   * @throws StoreUnavailableError where the lease was lost; what was written is taken back
   */
  readonly write: <T>(write: () => Promise<T>, undo: (written: T) => Promise<unknown>) => Promise<T>;
  /** Gives the lease back. Where that fails, others wait until it ends, 10 s after it was renewed. */
  readonly release: () => Promise<void>;
}

export interface LeasePorts {
  readonly records: DocumentStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Takes a lease, once nobody else holds it, in this process or another.
 * @param deadline of who asks, where somebody waits
 * @throws GivenUpError where the request is over first; StoreUnavailableError where others keep the lease for 10 s
 */
export async function takeLease(
  { records, clock, ids }: LeasePorts,
  name: string,
  deadline?: Deadline,
): Promise<HeldLease> {
  const owner = ids.ulid();
  for (let waited = 0; waited < LEASE_MILLISECONDS; waited += PAUSE) {
    if (deadline?.isOver === true) throw new GivenUpError();
    const lease = await records.takeLease(name, owner, LEASE_MILLISECONDS);
    if (lease !== undefined) {
      const demand = async () => {
        if (await records.renewLease(lease)) return;
        throw new StoreUnavailableError(`The lease "${name}" was lost; nothing more was written.`, true);
      };
      return {
        demand,
        write: (write, undo) => writeUnder(demand, clock, write, undo),
        release: () => records.releaseLease(lease).catch(() => undefined),
      };
    }
    await pause(clock, PAUSE);
  }
  throw new StoreUnavailableError(`The lease "${name}" is held elsewhere.`, false);
}

async function writeUnder<T>(
  demand: () => Promise<void>,
  clock: Clock,
  write: () => Promise<T>,
  undo: (written: T) => Promise<unknown>,
): Promise<T> {
  const since = clock.now();
  await demand();
  const written = await write();
  if (clock.now() - since < LEASE_MILLISECONDS) return written;
  try {
    await demand();
    return written;
  } catch (lost) {
    await undo(written);
    throw lost;
  }
}
