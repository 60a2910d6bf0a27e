import { Injectable } from '@nestjs/common';
import { PassesAsOf } from './passes-as-of.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { sharesInForce, type UnitState } from '#domain/units/index.js';
import { timestampOrNull } from '#kernel/timestamp.js';

type UnitThen = Pick<UnitState, 'unit_id' | 'tenancy' | 'shares' | 'last_let' | 'retired'>;

/** Who could open a unit at an instant. Personal details are those of now, because older ones are not kept. */
@Injectable()
export class UnitPeopleAsOf {
  constructor(
    private readonly tenants: TenantAccounts,
    private readonly passes: PassesAsOf,
  ) {}

  /**
   * @param then the unit at the instant
   * @param at milliseconds
   * @throws StoreUnavailableError
   */
  async readPeople(unit: UnitThen, at: number) {
    const { tenancy, shares } = unit;
    const inForce = sharesInForce(shares, at);
    const [passes, [tenant], sharing] = await Promise.all([
      this.passes.ofUnit(unit, at),
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
      passes,
    };
  }
}

function presentPerson({ tenant_id, pms_tenant_id, name, erased_at }: TenantAccount) {
  return { tenant_id, pms_tenant_id, name, erased_at: timestampOrNull(erased_at) };
}
