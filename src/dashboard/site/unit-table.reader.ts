import { Injectable } from '@nestjs/common';
import { LocationStandings } from '../../access/index.js';
import { Breath } from '../../config/breath.js';
import { fromCents, type OperatorContext } from '../../http/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { idleState, isRetired, UnitDirectory } from '../../units/index.js';
import type { TableUnit } from './unit-table.js';

/** Most units of a location that a table sorts. */
export const LARGEST_TABLE = 10_000;
/** Units and tenants that are read at once. */
const ROUND = 500;

interface Asked {
  readonly location_id: string;
  readonly company_id: string;
}

/** Reads all units of a location for its table. */
@Injectable()
export class UnitTableReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly standings: LocationStandings,
    private readonly accounts: TenantAccounts,
  ) {}

  /**
   * At most 10,000 units, without the names of their tenants.
   * @throws StoreUnavailableError, GivenUpError
   */
  async read({ location_id, company_id }: Asked, { deadline }: OperatorContext): Promise<TableUnit[]> {
    const standings = await this.standings.of({ _id: location_id, company_id }, deadline);
    const found: TableUnit[] = [];
    const breath = new Breath(deadline);
    for (let from: string | undefined; found.length < LARGEST_TABLE;) {
      const page = await this.units.ofLocation({ location_id, from, limit: ROUND });
      for (const unit of page) {
        if (unit.unit_id === from || isRetired(unit)) continue;
        const { unit_id, unit_name, crm_unit_id, facts, tenancy } = unit;
        const { state, reason } = standings.get(unit_id) ?? { state: idleState(facts), reason: null };
        const { balance_due, paid_through_date } = facts;
        found.push({
          ...{ unit_id, unit_name, crm_unit_id, state, reason, paid_through_date, tenant: null },
          tenant_id: tenancy?.tenant_id ?? null,
          balance_due: fromCents(balance_due),
        });
      }
      if (page.length < ROUND) break;
      from = page.at(-1)!.unit_id;
      await breath.after(page.length);
    }
    return found;
  }

  /** The same units with the names of their tenants. @throws StoreUnavailableError, GivenUpError */
  async withTenants(
    units: readonly TableUnit[],
    { deadline }: Pick<OperatorContext, 'deadline'>,
  ): Promise<TableUnit[]> {
    const ids = [...new Set(units.flatMap(({ tenant_id }) => tenant_id ?? []))];
    const names = new Map<string, string>();
    const breath = new Breath(deadline);
    for (let from = 0; from < ids.length; from += ROUND) {
      for (const account of await this.accounts.byTenantId(ids.slice(from, from + ROUND)))
        if (account !== undefined) names.set(account.tenant_id, account.name ?? account.pms_tenant_id);
      await breath.after(ROUND);
    }
    return units.map((unit) => ({ ...unit, tenant: names.get(unit.tenant_id ?? '') ?? null }));
  }
}
