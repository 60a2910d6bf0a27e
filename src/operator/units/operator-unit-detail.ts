import { Inject, Injectable } from '@nestjs/common';
import { presentInstant, presentUnit, UnitAccess } from '../../access/index.js';
import type { Clock } from '../../config/clock.js';
import { CLOCK } from '../../config/injection-tokens.js';
import { KeyIssues, type OutstandingKey } from '../../locks/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { type TenantAccount, TenantAccounts } from '../../tenants/index.js';
import type { UnitDocument } from '../../units/index.js';

/** A unit with all that hangs on it, for the operator (decisions §6). */
@Injectable()
export class OperatorUnitDetail {
  constructor(
    private readonly access: UnitAccess,
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
    private readonly keys: KeyIssues,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async of(unit: UnitDocument): Promise<Record<string, unknown>> {
    const [[described], locks, keys, zones, people] = await Promise.all([
      this.access.describe([unit]),
      this.#locks(unit.unit_id),
      this.keys.outstandingForUnit(unit.unit_id, this.clock.now()),
      this.#zones(unit.unit_id),
      this.#people(unit),
    ]);
    return {
      ...presentUnit(described!, true),
      company_id: unit.company_id,
      override: unit.override && { ...unit.override, expires_at: presentInstant(unit.override.expires_at) },
      locks,
      other_keys_outstanding: await this.#otherKeys(keys, locks),
      zones,
      ...people,
    };
  }

  /** Each lock with the keys already given out that still open it, whatever has been decided since. */
  async #locks(unit_id: string) {
    const locks = (await this.locations.locksOfUnits([unit_id])).get(unit_id) ?? [];
    const outstanding = await this.keys.outstanding(
      locks.map(({ lock_id }) => lock_id),
      this.clock.now(),
    );
    return locks.map(({ lock_id, name, serial }, place) => ({
      lock_id,
      name,
      serial,
      keys_outstanding: outstanding[place]!.map(({ tenant_id, expires_at }) => ({
        tenant_id,
        expires_at: presentInstant(expires_at),
      })),
    }));
  }

  /** Keys given out for the unit that still open something else than its locks: locks taken off it, and entry points. */
  async #otherKeys(keys: readonly OutstandingKey[], locks: readonly { readonly lock_id: string }[]) {
    const others = keys.filter((key) => !locks.some(({ lock_id }) => lock_id === key.lock_id));
    return Promise.all(
      others.map(async ({ lock_id, tenant_id, expires_at }) => {
        const lock = await this.locations.lock(lock_id);
        const opened =
          lock === undefined
            ? { entry_point_id: lock_id, name: (await this.locations.entryPoint(lock_id))?.name ?? null }
            : { lock_id, name: lock.name };
        return { ...opened, tenant_id, expires_at: presentInstant(expires_at) };
      }),
    );
  }

  async #zones(unit_id: string) {
    const ids = (await this.locations.zonesOfUnits([unit_id])).get(unit_id) ?? [];
    const zones = await Promise.all(ids.map((zone_id) => this.locations.zone(zone_id)));
    return ids.map((zone_id, place) => ({ zone_id, name: zones[place]?.name ?? null }));
  }

  async #people({ tenancy, shares }: UnitDocument) {
    const accounts = await this.tenants.byTenantId([
      ...(tenancy === null ? [] : [tenancy.tenant_id]),
      ...shares,
    ]);
    const [tenant, sharing] = tenancy === null ? [null, accounts] : [accounts[0] ?? null, accounts.slice(1)];
    return {
      tenant: tenant && presentTenant(tenant),
      shares: sharing.flatMap((one) => (one ? [presentTenant(one)] : [])),
    };
  }
}

function presentTenant({ tenant_id, pms_tenant_id, name, email, phone }: TenantAccount) {
  return { tenant_id, pms_tenant_id, name, email, phone };
}
