import { Injectable } from '@nestjs/common';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { sharesInForce, type UnitState } from '#domain/units/index.js';
import { timestampOrNull } from '#kernel/timestamp.js';

/** Who could open a unit at an instant. Personal details are those of now, because older ones are not kept. */
@Injectable()
export class UnitPeopleAsOf {
  constructor(private readonly tenants: TenantAccounts) {}

  /**
   * @param then the unit at the instant
   * @param at milliseconds
   * @throws StoreUnavailableError
   */
  async readPeople({ tenancy, shares }: Pick<UnitState, 'tenancy' | 'shares'>, at: number) {
    const inForce = sharesInForce(shares, at);
    const [[tenant], sharing] = await Promise.all([
      this.tenants.byTenantId(tenancy === null ? [] : [tenancy.tenant_id]),
      this.tenants.byTenantId(inForce.map(({ tenant_id }) => tenant_id)),
    ]);
    return {
      tenant: tenant === undefined ? null : presentPerson(tenant),
      shares: sharing.flatMap((account, index) =>
        account === undefined
          ? []
          : [{ ...presentPerson(account), until: timestampOrNull(inForce[index]!.until) }],
      ),
    };
  }
}

function presentPerson({ tenant_id, pms_tenant_id, name, erased_at }: TenantAccount) {
  return { tenant_id, pms_tenant_id, name, erased_at: timestampOrNull(erased_at) };
}
