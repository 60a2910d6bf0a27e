import { Injectable } from '@nestjs/common';
import type { AccessReason } from '#domain/access/index.js';
import { OperatorUnitSearch } from '#api/operator/index.js';
import { Yielder } from '#kernel/yielder.js';
import type { OperatorContext } from '#web/request-context.js';
import { COLUMNS_WITH_SINCE, type LockedUnit } from '../lists/unit-list.js';
import { UnitTenants } from '../lists/unit-tenants.js';
import type { StreamedDownload } from '../page/page.js';
import { inMemory } from '../parts/in-memory.js';
import { columnFile, type ListRange, type RowsPage } from '../parts/list-page.js';
import { numberedPage, type NumberedPage } from '../parts/numbered-pages.js';
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

/** Sites whose units are read whole. Of more, one is chosen first; until then their units are listed as they stand. */
export const MOST_SITES = 50;
/** Units on a page. */
const PAGE = 100;

/** What the address of a list asks for. */
export interface AskedUnits {
  readonly company_id: string;
  /** The only sites whose units are listed. */
  readonly sites: readonly CompanySite[];
  readonly filter: UnitFilter | undefined;
  readonly reason: AccessReason | undefined;
  readonly q: string | undefined;
  readonly order: Order<Sort>;
  readonly page: number;
  /** Of a list that is not read whole. */
  readonly cursor: string | undefined;
}

type SiteUnit = TableUnit & { readonly site: CompanySite };

interface SortedUnits {
  /** In their order; tenants are named where the search or the order needs it. */
  readonly units: readonly SiteUnit[];
  /** What the search leaves. */
  readonly counts: StateCounts;
}

/** A part of the list. */
export interface UnitListPage {
  readonly rows: readonly LockedUnit[];
  /** Undefined: the list is not read whole. */
  readonly whole: (Omit<NumberedPage<LockedUnit>, 'rows'> & Pick<SortedUnits, 'counts'>) | undefined;
  /** Of a list that is not read whole. */
  readonly next_cursor: string | null;
}

/** Reads lists of a company's units. All methods throw StoreUnavailableError and GivenUpError. */
@Injectable()
export class CompanyUnitsReader {
  constructor(
    private readonly table: UnitTableReader,
    private readonly search: OperatorUnitSearch,
    private readonly tenants: UnitTenants,
  ) {}

  async read(asked: AskedUnits, context: OperatorContext): Promise<UnitListPage> {
    if (asked.sites.length > MOST_SITES) {
      const range = { limit: PAGE, ...(asked.cursor !== undefined && { cursor: asked.cursor }) };
      return { ...(await this.#asTheyStand(asked, range, context)), whole: undefined };
    }
    const { units, counts } = await this.#sort(asked, context);
    const { rows: shown, ...numbers } = numberedPage(units, asked.page, PAGE);
    const rows = await this.#toRows(asked.company_id, shown, context);
    return { rows, whole: { ...numbers, counts }, next_cursor: null };
  }

  /** The whole list, page by page as it is sent. */
  async csv(asked: AskedUnits, context: OperatorContext): Promise<StreamedDownload> {
    if (asked.sites.length > MOST_SITES)
      return columnFile('units', COLUMNS_WITH_SINCE, (range) => this.#asTheyStand(asked, range, context));
    const { units } = await this.#sort(asked, context);
    const pageOf = inMemory(units, ({ unit_id }) => unit_id);
    return columnFile('units', COLUMNS_WITH_SINCE, async (range) => {
      const { rows, next_cursor } = await pageOf(range);
      return { rows: await this.#toRows(asked.company_id, rows, context), next_cursor };
    });
  }

  /** Of too many sites to read them whole: in no order. */
  async #asTheyStand(
    { company_id, filter, reason }: AskedUnits,
    range: ListRange,
    { principal }: OperatorContext,
  ): Promise<RowsPage<LockedUnit>> {
    const wanted = { company_id, ...searchOf(filter, reason), ...range };
    const { units, next_cursor } = await this.search.page(wanted, principal);
    return { rows: await this.tenants.withTenants(units), next_cursor };
  }

  async #sort(
    { company_id, sites, filter, reason, q, order }: AskedUnits,
    context: OperatorContext,
  ): Promise<SortedUnits> {
    const isNamed = q !== undefined || order.sort === 'tenant';
    const all: SiteUnit[] = [];
    for (const site of sites) {
      const ids = { location_id: site.location_id, company_id };
      const units = await this.table.read(ids, context);
      const named = isNamed ? await this.table.withTenants(ids, units, context) : units;
      all.push(...named.map((unit) => ({ ...unit, site })));
    }
    const found = q === undefined ? all : unitsFound(all, q);
    const wanted = found.filter((unit) => isWanted(unit, filter, reason));
    const units = await sortUnits(wanted, order, new Yielder(context.deadline));
    return { units, counts: countStates(found) };
  }

  /** Rows of the list, with the names of their tenants. */
  async #toRows(
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
function isWanted(
  unit: TableUnit,
  filter: UnitFilter | undefined,
  reason: AccessReason | undefined,
): boolean {
  if (reason === undefined) return filter === undefined || filterOf(unit) === filter;
  return unit.reason === reason && (filter === undefined || unit.state === searchOf(filter).state);
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
