import { Injectable } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import type { DeniedOpening } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { happenedAt, KeyIssues } from '#domain/locks/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';

/** Describes openings by tenants who were denied, with the names of tenants, locks and entry points. */
@Injectable()
export class DeniedOpeningList {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly locations: LocationDirectory,
    private readonly keys: KeyIssues,
  ) {}

  /** @throws StoreUnavailableError */
  async describeOpenings(openings: readonly DeniedOpening[]) {
    const [accounts, names, hadKey] = await Promise.all([
      this.accounts.byTenantId(openings.map(({ tenant_id }) => tenant_id)),
      this.locations.equipmentNames(openings.map(placeOf)),
      Promise.all(openings.map((one) => this.keys.hadKey(placeOf(one), one.tenant_id, happenedAt(one)))),
    ]);
    return openings.map((one, index) => {
      const { log_id, tenant_id, location_id, lock_id, entry_point_id, denied_units } = one;
      return {
        log_id,
        occurred_at: toTimestamp(happenedAt(one)),
        recorded_at: toTimestamp(one.recorded_at),
        location_id,
        tenant_id,
        tenant_name: accounts[index]?.name ?? accounts[index]?.pms_tenant_id ?? null,
        lock_id,
        entry_point_id,
        name: names.get(placeOf(one)) ?? null,
        had_key: hadKey[index]!,
        denied_units,
      };
    });
  }
}

function placeOf({ lock_id, entry_point_id }: DeniedOpening): string {
  return entry_point_id ?? lock_id!;
}
