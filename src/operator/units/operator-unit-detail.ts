import { Injectable } from '@nestjs/common';
import { presentOverride, presentUnit, UnitAccess } from '../../access/index.js';
import { CompanyClocks } from '../../companies/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { type TenantAccount, TenantAccounts } from '../../tenants/index.js';
import { isRetired, type UnitDocument } from '../../units/index.js';
import { KeysOutstanding } from '../keys-outstanding.js';

/** A unit with all that hangs on it, for the operator (decisions §6). */
@Injectable()
export class OperatorUnitDetail {
  constructor(
    private readonly access: UnitAccess,
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
    private readonly keys: KeysOutstanding,
    private readonly clocks: CompanyClocks,
  ) {}

  async of(unit: UnitDocument) {
    const [[described], locks, zones, people, now] = await Promise.all([
      this.access.describe([unit]),
      this.#locks(unit),
      this.#zones(unit.unit_id),
      this.#people(unit),
      this.clocks.now(unit.company_id),
    ]);
    return {
      ...presentUnit(described!, true),
      company_id: unit.company_id,
      retired: isRetired(unit),
      override: presentOverride(unit.override, now),
      locks,
      other_keys_outstanding: await this.keys.ofUnit(
        unit,
        locks.map(({ lock_id }) => lock_id),
      ),
      zones,
      ...people,
    };
  }

  /** Each lock with the keys already given out that still open it, whatever has been decided since. */
  async #locks({ unit_id, company_id }: UnitDocument) {
    const locks = (await this.locations.locksOfUnits([unit_id])).get(unit_id) ?? [];
    const keys = await this.keys.toLocks(
      locks.map(({ lock_id }) => lock_id),
      company_id,
    );
    return locks.map(({ lock_id, name, serial }, place) => ({
      lock_id,
      name,
      serial,
      keys_outstanding: keys[place]!,
    }));
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
