import type { Lease } from '../document-store.js';
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { fittingKey, utf8Bytes } from '../../storage/key-encoding.js';
import type { StoreTable } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/group-commit.js';

interface LeaseRecord {
  /** null if the lease is free. The record is never removed, because the fence must only grow. */
  readonly owner: string | null;
  readonly fence: number;
  readonly renewed_at: number;
}

/** The port's leases. The store's clock decides when one ends. */
export class EmbeddedLeases {
  private readonly table: StoreTable;

  constructor(
    private readonly database: EmbeddedDatabase,
    private readonly now: () => number,
  ) {
    this.table = database.table('leases');
  }

  take(name: string, owner: string, milliseconds: number): Promise<Lease | undefined> {
    return this.database.enqueue((group) => {
      const record = this.read(group, name);
      const now = this.now();
      const isHeld = record !== undefined && record.owner !== null && now - record.renewed_at < milliseconds;
      if (isHeld && record.owner !== owner) return undefined;
      const fence = isHeld ? record.fence : (record?.fence ?? 0) + 1;
      this.write(group, name, { owner, fence, renewed_at: now });
      return { name, owner, fence };
    });
  }

  renew(lease: Lease): Promise<boolean> {
    return this.setOwner(lease, lease.owner);
  }

  async release(lease: Lease): Promise<void> {
    await this.setOwner(lease, null);
  }

  /** False if another owner has the lease now. */
  private setOwner({ name, owner, fence }: Lease, next: string | null): Promise<boolean> {
    return this.database.enqueue((group) => {
      const record = this.read(group, name);
      if (record?.owner !== owner || record.fence !== fence) return false;
      this.write(group, name, { owner: next, fence, renewed_at: this.now() });
      return true;
    });
  }

  private read(group: WriteGroup, name: string): LeaseRecord | undefined {
    const text = group.get(this.table, leaseKey(name));
    return text === undefined ? undefined : (JSON.parse(text) as LeaseRecord);
  }

  private write(group: WriteGroup, name: string, record: LeaseRecord): void {
    group.put(this.table, leaseKey(name), JSON.stringify(record));
  }
}

function leaseKey(name: string): string {
  return fittingKey(utf8Bytes(name));
}
