import { type Deadline, GivenUpError } from '../config/yielder.js';
import type { Clock } from '../config/clock.js';
import { pause } from '../config/pause.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import type { DocumentStore } from './document-store.js';

/** Milliseconds until another process gets the lease of a silent holder. */
export const USUAL_LEASE = 10_000;
const PAUSE = 50;

/** A lease while it is held. It is renewed three times in its length until it is lost or given back. */
export interface HeldLease {
  /** Grows with each holder. A write under an older fence must be refused. */
  readonly fence: number;
  /** Aborted once the lease was lost. */
  readonly lost: AbortSignal;
  /**
   * Renews the lease now. Called right before each write, so that nobody else can hold it by then.
   * @throws StoreUnavailableError where the lease was lost; nothing more may be written
   */
  readonly demand: () => Promise<void>;
  /**
   * Renews the lease and writes. A process that sleeps in between writes after another one took the lease: `undo` then
   * takes the write back.
   * @throws StoreUnavailableError where the lease was lost; what was written is taken back
   */
  readonly write: <T>(write: () => Promise<T>, undo: (written: T) => Promise<unknown>) => Promise<T>;
  /** Gives the lease back. Where that fails, others wait until it ends. */
  readonly release: () => Promise<void>;
}

export interface LeaseOptions {
  readonly leases: DocumentStore;
  readonly clock: Clock;
  readonly name: string;
  /** Whoever has the same name gets the same lease. */
  readonly owner: string;
  /** {@link USUAL_LEASE} when absent. */
  readonly milliseconds?: number | undefined;
}

/** Takes a lease; undefined where another holds it, in this process or another. @throws StoreUnavailableError */
export async function takeLease(options: LeaseOptions): Promise<HeldLease | undefined> {
  const { leases, clock, name, owner, milliseconds = USUAL_LEASE } = options;
  const lease = await leases.takeLease(name, owner, milliseconds);
  if (lease === undefined) return undefined;
  const losing = new AbortController();
  const lost = new StoreUnavailableError(`The lease "${name}" was lost; nothing more was written.`, true);
  let cancel: () => void = () => undefined;
  let isReleased = false;
  const demand = async () => {
    if (await leases.renewLease(lease)) return;
    if (!isReleased) losing.abort(lost);
    throw lost;
  };
  // A store that is away for a moment: the next renewal tells.
  const renewLater = () => {
    if (isReleased || losing.signal.aborted) return;
    cancel = clock.after(
      milliseconds / 3,
      () =>
        void demand()
          .catch(() => undefined)
          .then(renewLater),
    );
  };
  renewLater();
  return {
    fence: lease.fence,
    lost: losing.signal,
    demand,
    write: async (write, undo) => {
      const since = clock.now();
      await demand();
      const written = await write();
      if (clock.now() - since < milliseconds) return written;
      try {
        await demand();
        return written;
      } catch (error) {
        await undo(written);
        throw error;
      }
    },
    release: async () => {
      isReleased = true;
      cancel();
      await leases.releaseLease(lease).catch(() => undefined);
    },
  };
}

/**
 * Takes a lease once nobody else holds it.
 * @param deadline of who asks, where somebody waits
 * @throws GivenUpError where the request is over first; StoreUnavailableError where others keep the lease for 10 s
 */
export async function waitForLease(
  options: Omit<LeaseOptions, 'milliseconds'>,
  deadline?: Deadline,
): Promise<HeldLease> {
  for (let waited = 0; waited < USUAL_LEASE; waited += PAUSE) {
    if (deadline?.isOver === true) throw new GivenUpError();
    const lease = await takeLease(options);
    if (lease !== undefined) return lease;
    await pause(options.clock, PAUSE);
  }
  throw new StoreUnavailableError(`The lease "${options.name}" is held elsewhere.`, false);
}
