import type { Clock } from '../config/clock.js';
import type { DocumentStore, Lease } from '../documents/document-store.js';

/** Milliseconds for which a holder that falls silent is waited for; renewed three times as often. */
const LENGTH = 12_000;

/**
 * Does a work under a lease of this name, which is renewed meanwhile. The signal is aborted when the lease is lost.
 * @returns undefined where another process holds it
 * @throws StoreUnavailableError, and what the work throws
 */
export async function underLease<T>(
  { leases, clock }: { readonly leases: DocumentStore; readonly clock: Clock },
  { name, owner }: Pick<Lease, 'name' | 'owner'>,
  work: (lease: Lease, lost: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const lease = await leases.takeLease(name, owner, LENGTH);
  if (lease === undefined) return undefined;
  const losing = new AbortController();
  let cancel: () => void = () => undefined;
  const renewLater = () => {
    cancel = clock.after(LENGTH / 3, () => {
      leases.renewLease(lease).then(
        (isHeld) => (isHeld ? renewLater() : losing.abort()),
        // A store that is away for a moment: the next attempt tells.
        () => renewLater(),
      );
    });
  };
  renewLater();
  try {
    return await work(lease, losing.signal);
  } finally {
    cancel();
    losing.abort();
    await leases.releaseLease(lease).catch(() => undefined);
  }
}
