import { Injectable } from '@nestjs/common';
import { daysLate } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import {
  isGuestId,
  isOwnId,
  type TenantAccount,
  tenantMatcherOf,
  TenantSearch,
} from '#domain/tenants/index.js';
import { everyPage } from '#eventsourcing/documents/pages.js';
import { matcherOf } from '#kernel/core/search.js';
import { Yielder } from '#kernel/yielder.js';
import type { OperatorContext } from '#web/request-context.js';
import type { Order } from '../parts/sorting.js';
import { localDate } from '../parts/words.js';
import type { TableUnit } from '../site/unit-table.js';
import { UnitTableReader } from '../site/unit-table.reader.js';
import {
  countTenants,
  isOfFilter,
  sortTenants,
  sumsOf,
  type TableTenant,
  type TenantCounts,
  type TenantFilter,
  type TenantSite,
  type TenantSort,
} from './tenant-table.js';

/** Tenants that are read at once. */
const ROUND = 500;

export interface WantedTenants {
  readonly filter: TenantFilter | undefined;
  readonly q: string | undefined;
  readonly order: Order<TenantSort>;
}

export interface CompanyTenants {
  /** In their order. */
  readonly tenants: readonly TableTenant[];
  /** Of what the search leaves. */
  readonly counts: TenantCounts;
  readonly found: number;
}

/** Reads the tenants of several sites whole, with their units: to sort, search and count them. */
@Injectable()
export class TenantTableReader {
  constructor(
    private readonly units: UnitTableReader,
    private readonly accounts: TenantSearch,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws StoreUnavailableError, GivenUpError */
  async read(
    company_id: string,
    sites: readonly TenantSite[],
    { filter, q, order }: WantedTenants,
    context: OperatorContext,
  ): Promise<CompanyTenants> {
    const now = await this.clocks.now(company_id);
    const found: TableTenant[] = [];
    for (const site of sites) {
      const ids = { company_id, location_id: site.location_id };
      const units = byTenant(await this.units.read(ids, context));
      const isFound = q === undefined ? () => true : finder(q, units);
      const today = localDate(now, site.timezone);
      for await (const accounts of this.#accountsOf(ids, context))
        for (const account of accounts.filter(isFound))
          found.push(toTenant(account, site, units.get(account.tenant_id) ?? [], today));
    }
    const wanted = found.filter((tenant) => isOfFilter(tenant, filter));
    const tenants = await sortTenants(wanted, order, new Yielder(context.deadline));
    return { tenants, counts: countTenants(found), found: found.length };
  }

  async *#accountsOf(
    { company_id, location_id }: { readonly company_id: string; readonly location_id: string },
    { deadline }: OperatorContext,
  ): AsyncGenerator<readonly TenantAccount[]> {
    const yielder = new Yielder(deadline);
    const place = { companies: [company_id], location_id, limit: ROUND };
    const pages = everyPage(async (cursor) => {
      const { tenants, next_cursor } = await this.accounts.page({ ...place, cursor });
      return { documents: tenants, next_cursor };
    });
    for await (const { documents } of pages) {
      yield documents;
      await yielder.after(documents.length);
    }
  }
}

type UnitsByTenant = ReadonlyMap<string, readonly TableUnit[]>;

function byTenant(units: readonly TableUnit[]): UnitsByTenant {
  const found = new Map<string, TableUnit[]>();
  for (const unit of units) {
    if (unit.tenant_id === null) continue;
    const own = found.get(unit.tenant_id);
    if (own === undefined) found.set(unit.tenant_id, [unit]);
    else own.push(unit);
  }
  return found;
}

/** A text finds tenants by their details, and by the names of their units. */
function finder(q: string, units: UnitsByTenant): (account: TenantAccount) => boolean {
  const isCalled = tenantMatcherOf(q);
  const matches = matcherOf(q);
  const rentsFound = ({ search_names }: TableUnit) => matches(search_names);
  return (account) => isCalled(account) || (units.get(account.tenant_id)?.some(rentsFound) ?? false);
}

function toTenant(
  account: TenantAccount,
  site: TenantSite,
  units: readonly TableUnit[],
  today: string,
): TableTenant {
  const { tenant_id, pms_tenant_id, name, email, phone } = account;
  const rented = units.map((unit) => ({
    state: unit.state,
    reason: unit.reason,
    days_late: daysLate(unit, today),
  }));
  return {
    tenant_id,
    pms_tenant_id,
    name,
    email,
    phone,
    site,
    isGuest: isGuestId(pms_tenant_id),
    isOwn: isOwnId(pms_tenant_id),
    rented,
    ...sumsOf(units, today),
  };
}
