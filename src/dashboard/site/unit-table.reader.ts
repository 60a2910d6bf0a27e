import { Injectable } from '@nestjs/common';
import { isLockedOut, LocationDecisions } from '#domain/access/index.js';
import { Yielder } from '#kernel/yielder.js';
import { LockoutDays } from '#domain/history/index.js';
import type { OperatorContext } from '#web/request-context.js';
import { fromCents } from '#kernel/money.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { nameOf } from '../parts/tenant-links.js';
import type { TableUnit } from './unit-table.js';

/** Units and tenants that are read at once. */
const ROUND = 500;

export interface LocationIds {
  readonly location_id: string;
  readonly company_id: string;
}

/** Reads all units of a location for its table. */
@Injectable()
export class UnitTableReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly decisions: LocationDecisions,
    private readonly lockouts: LockoutDays,
    private readonly accounts: TenantAccounts,
  ) {}

  /** Without the names of their tenants. @throws StoreUnavailableError, GivenUpError */
  async read({ location_id }: LocationIds, { deadline }: OperatorContext): Promise<TableUnit[]> {
    const units = await this.#unitsOf(location_id, deadline);
    const decisions = await this.decisions.decideUnits(location_id, units, deadline);
    const since = await this.lockouts.since(units.filter((_, index) => isLockedOut(decisions[index]!)));
    return units.map((unit, index) => {
      const { unit_id, unit_name, crm_unit_id, search_names, source_type } = unit;
      const { facts, tenancy, round_the_clock } = unit;
      const { state, reason } = decisions[index]!;
      // Field by field: a spread of thousands costs milliseconds.
      return {
        unit_id,
        unit_name,
        crm_unit_id,
        search_names,
        source_type,
        state,
        reason,
        round_the_clock,
        locked_out_since: since.get(unit_id),
        paid_through_date: facts.paid_through_date,
        tenant_id: tenancy?.tenant_id ?? null,
        pms_tenant_id: facts.pms_tenant_id,
        tenant: null,
        balance_due: fromCents(facts.balance_due),
      };
    });
  }

  async #unitsOf(location_id: string, deadline: OperatorContext['deadline']): Promise<UnitDocument[]> {
    const found: UnitDocument[] = [];
    const yielder = new Yielder(deadline);
    for await (const page of this.units.allOfLocation(location_id, ROUND, { yielder }))
      found.push(...page.filter((unit) => !unit.retired));
    return found;
  }

  /** The same units with the names of their tenants. @throws StoreUnavailableError, GivenUpError */
  async withTenants(
    { location_id, company_id }: LocationIds,
    units: readonly TableUnit[],
    { deadline }: OperatorContext,
  ): Promise<TableUnit[]> {
    const tenants = new Set(units.flatMap(({ pms_tenant_id }) => pms_tenant_id ?? []));
    const keys = [...tenants].map((pms_tenant_id) => ({ company_id, location_id, pms_tenant_id }));
    const known = new Map<string, Pick<TableUnit, 'tenant' | 'phone'>>();
    const yielder = new Yielder(deadline);
    for (let from = 0; from < keys.length; from += ROUND) {
      for (const account of await this.accounts.find(keys.slice(from, from + ROUND)))
        if (account !== undefined) {
          const { tenant_id, phone } = account;
          known.set(tenant_id, { tenant: nameOf(account), phone });
        }
      await yielder.after(ROUND);
    }
    return units.map((unit) => ({ ...unit, ...(known.get(unit.tenant_id ?? '') ?? { tenant: null }) }));
  }
}
