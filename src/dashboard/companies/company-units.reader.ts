import { Injectable } from '@nestjs/common';
import type { AccessReason } from '#domain/access/index.js';
import { Yielder } from '#kernel/yielder.js';
import type { OperatorContext } from '#web/request-context.js';
import type { LockedUnit } from '../lists/unit-list.js';
import type { Order } from '../parts/sorting.js';
import { countStates, filterOf, type StateCounts, type UnitFilter } from '../site/site-map.js';
import { searchOf } from '../site/unit-filter.js';
import { type Sort, sortUnits, type TableUnit, unitsFound } from '../site/unit-table.js';
import { UnitTableReader } from '../site/unit-table.reader.js';

export interface CompanySite {
  readonly location_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
}

export interface WantedUnits {
  readonly filter: UnitFilter | undefined;
  readonly reason: AccessReason | undefined;
  readonly q: string | undefined;
  readonly order: Order<Sort>;
}

type SiteUnit = TableUnit & { readonly site: CompanySite };

export interface CompanyUnits {
  /** In their order; tenants are named where the search or the order needs it. */
  readonly units: readonly SiteUnit[];
  /** Of what the search and the reason leave. */
  readonly counts: StateCounts;
}

/** Reads the units of several sites whole: to sort, search and count them. */
@Injectable()
export class CompanyUnitsReader {
  constructor(private readonly table: UnitTableReader) {}

  /** @throws StoreUnavailableError, GivenUpError */
  async read(
    company_id: string,
    sites: readonly CompanySite[],
    { filter, reason, q, order }: WantedUnits,
    context: OperatorContext,
  ): Promise<CompanyUnits> {
    const isNamed = q !== undefined || order.sort === 'tenant';
    const all: SiteUnit[] = [];
    for (const site of sites) {
      const ids = { location_id: site.location_id, company_id };
      const units = await this.table.read(ids, context);
      const named = isNamed ? await this.table.withTenants(ids, units, context) : units;
      all.push(...named.map((unit) => ({ ...unit, site })));
    }
    const found = q === undefined ? all : unitsFound(all, q);
    const ofReason = reason === undefined ? found : found.filter((unit) => unit.reason === reason);
    const left = ofReason.filter((unit) => isLeft(unit, filter, reason));
    const units = await sortUnits(left, order, new Yielder(context.deadline));
    return { units, counts: countStates(ofReason) };
  }

  /** Rows of the list, with the names of their tenants. @throws StoreUnavailableError, GivenUpError */
  async toRows(
    company_id: string,
    units: readonly SiteUnit[],
    context: OperatorContext,
  ): Promise<readonly LockedUnit[]> {
    const named = new Map<string, TableUnit>();
    for (const location_id of new Set(units.map(({ site }) => site.location_id))) {
      const ofSite = units.filter(({ site }) => site.location_id === location_id);
      for (const unit of await this.table.withTenants({ location_id, company_id }, ofSite, context))
        named.set(unit.unit_id, unit);
    }
    return units.map((unit) => toRow(unit, named.get(unit.unit_id)?.tenant ?? null));
  }
}

/** A reason says more than the filter: units that are let in are open, and a lease to come is denied. */
function isLeft(unit: TableUnit, filter: UnitFilter | undefined, reason: AccessReason | undefined): boolean {
  if (filter === undefined) return true;
  return reason === undefined ? filterOf(unit) === filter : unit.state === searchOf(filter).state;
}

function toRow(unit: SiteUnit, name: string | null): LockedUnit {
  const { tenant_id, pms_tenant_id, locked_out_since: since, site, balance_due, state, reason } = unit;
  return {
    unit_id: unit.unit_id,
    crm_unit_id: unit.crm_unit_id,
    unit_name: unit.unit_name,
    source_type: unit.source_type,
    round_the_clock: unit.round_the_clock,
    location: site,
    facts: { balance_due },
    access: { state, reason },
    tenant: tenant_id === null || pms_tenant_id === null ? null : { tenant_id, name, pms_tenant_id },
    ...(since !== undefined && { locked_out_since: since === null ? null : new Date(since).toISOString() }),
  };
}
