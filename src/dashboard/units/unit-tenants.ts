import { Injectable } from '@nestjs/common';
import { type TenantAccount, TenantAccounts } from '../../tenants/index.js';

interface PlacedUnit {
  readonly company_id: string;
  readonly location: { readonly id: string };
  readonly facts: { readonly pms_tenant_id: string | null };
}

/** Reads the tenants of listed units: one read for all. */
@Injectable()
export class UnitTenants {
  constructor(private readonly accounts: TenantAccounts) {}

  /** Null where nobody rents the unit. @throws StoreUnavailableError */
  async of<Unit extends PlacedUnit>(
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
}
