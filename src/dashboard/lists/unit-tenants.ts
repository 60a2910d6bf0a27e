import { Injectable } from '@nestjs/common';
import { fromCents } from '#kernel/money.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';

interface PlacedUnit {
  readonly company_id: string;
  readonly location: { readonly id: string };
  readonly facts: { readonly pms_tenant_id: string | null };
}

/** A unit's tenant, and what the tenant owes on it. */
export interface Owing {
  readonly tenant: TenantAccount | null;
  /** A decimal amount. */
  readonly balance_due: number;
}

/** Reads the tenants of listed units: one read for all. */
@Injectable()
export class UnitTenants {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly units: UnitDirectory,
  ) {}

  /** Null where nobody rents the unit. @throws StoreUnavailableError */
  async withTenants<Unit extends PlacedUnit>(
    units: readonly Unit[],
  ): Promise<(Unit & { readonly tenant: TenantAccount | null })[]> {
    const rented = units.flatMap(({ company_id, location, facts: { pms_tenant_id } }) =>
      pms_tenant_id === null ? [] : [{ company_id, location_id: location.id, pms_tenant_id }],
    );
    const accounts = (await this.accounts.find(rented)).values();
    return units.map((unit) => ({
      ...unit,
      tenant: unit.facts.pms_tenant_id === null ? null : (accounts.next().value ?? null),
    }));
  }

  /** The same by unit ids. @throws StoreUnavailableError */
  async byUnitId(unit_ids: readonly string[]): Promise<ReadonlyMap<string, Owing>> {
    const units = await this.units.byUnitIds([...new Set(unit_ids)]);
    const placed = units.map((unit) => ({ ...unit, location: { id: unit.location_id } }));
    return new Map(
      (await this.withTenants(placed)).map(({ unit_id, tenant, facts }) => [
        unit_id,
        { tenant, balance_due: fromCents(facts.balance_due) },
      ]),
    );
  }
}
