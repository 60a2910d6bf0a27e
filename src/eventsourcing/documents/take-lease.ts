import { type Deadline, GivenUpError } from '#kernel/yielder.js';
import type { Clock } from '#kernel/clock.js';
import { pause } from '#kernel/pause.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { DocumentStore } from './document-store.js';

/** Milliseconds after its last renewal, after which another process may take a lease. */
export const USUAL_LEASE_MS = 10_000;
const RETRY_EVERY_MS = 50;

/** A write, and how it is reverted. */
export interface RevertibleWrite<T> {
  readonly write: () => Promise<T>;
  readonly undo: (written: T) => Promise<unknown>;
}

/** A lease while this process holds it. */
export interface HeldLease {
  /** Grows with each holder. A write under an older fence must be refused. */
  readonly fence: number;
  /** Aborted when the lease is lost. */
  readonly lost: AbortSignal;
  /**
   * Renews the lease now. Call it right before each write, so that no other process holds the lease then.
   * @throws StoreUnavailableError if the lease was lost; nothing more may be written
   */
  readonly demand: () => Promise<void>;
  /**
   * Renews the lease and writes. If the process was suspended in between and another one took the lease, `undo` reverts
   * the write.
   * @throws StoreUnavailableError if the lease was lost
   */
  readonly write: <T>(change: RevertibleWrite<T>) => Promise<T>;
  /** Releases the lease. If that fails, others wait until it ends. */
  readonly release: () => Promise<void>;
}

export interface LeaseOptions {
  readonly leases: DocumentStore;
  readonly clock: Clock;
  readonly name: string;
  /** A repeated call with the same owner gets the same lease. */
  readonly owner: string;
  /** {@link USUAL_LEASE_MS} when absent. */
  readonly milliseconds?: number | undefined;
  /** Renews it three times in its length, until it is lost or released. True when absent. */
  readonly renewsItself?: boolean | undefined;
}

/** Takes a lease; undefined if another owner holds it. @throws StoreUnavailableError */
export async function takeLease(options: LeaseOptions): Promise<HeldLease | undefined> {
  const { leases, clock, name, owner, milliseconds = USUAL_LEASE_MS, renewsItself = true } = options;
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
  // After an error of the store, the next renewal tries again.
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
  if (renewsItself) renewLater();
  return {
    fence: lease.fence,
    lost: losing.signal,
    demand,
    write: async ({ write, undo }) => {
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
 * Waits until the lease is free, and takes it. Only its writes renew it: a change that hangs frees it for others.
 * @param deadline of the request, if there is one
 * @throws GivenUpError after the deadline; StoreUnavailableError if others hold the lease for 10 s
 */
export async function waitForLease(
  options: Omit<LeaseOptions, 'milliseconds' | 'renewsItself'>,
  deadline?: Deadline,
): Promise<HeldLease> {
  for (let waited = 0; waited < USUAL_LEASE_MS; waited += RETRY_EVERY_MS) {
    if (deadline?.isOver === true) throw new GivenUpError();
    const lease = await takeLease({ ...options, renewsItself: false });
    if (lease !== undefined) return lease;
    await pause(options.clock, RETRY_EVERY_MS);
  }
  throw new StoreUnavailableError(`The lease "${options.name}" is held elsewhere.`, false);
}
