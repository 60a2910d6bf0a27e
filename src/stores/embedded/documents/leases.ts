import type { Clock } from '#kernel/clock.js';
import type { Lease } from '#eventsourcing/documents/document-store.js';

interface Held {
  readonly lease: Lease;
  readonly renewed_at: number;
}

/** The port's leases, in memory: no other process writes an embedded store. */
export class EmbeddedLeases {
  readonly #held = new Map<string, Held>();
  #lastFence = 0;

  constructor(private readonly clock: Clock) {}

  take(name: string, owner: string, milliseconds: number): Lease | undefined {
    const held = this.#held.get(name);
    const isHeld = held !== undefined && this.clock.now() - held.renewed_at < milliseconds;
    if (isHeld && held.lease.owner !== owner) return undefined;
    if (!isHeld) this.#lastFence += 1;
    const lease = { name, owner, fence: isHeld ? held.lease.fence : this.#lastFence };
    this.#keep(lease);
    return lease;
  }

  /** False if the lease was lost or released. */
  renew(lease: Lease): boolean {
    if (!this.#isHeld(lease)) return false;
    this.#keep(lease);
    return true;
  }

  release(lease: Lease): void {
    if (this.#isHeld(lease)) this.#held.delete(lease.name);
  }

  #isHeld({ name, fence }: Lease): boolean {
    return this.#held.get(name)?.lease.fence === fence;
  }

  #keep(lease: Lease): void {
    this.#held.set(lease.name, { lease, renewed_at: this.clock.now() });
  }
}
