import { Injectable } from '@nestjs/common';
import { type FoundUnit, type RentedUnits, SearchEverywhere, TenantReads } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { isLockedOut } from '#domain/access/index.js';
import type { OperatorContext } from '#web/request-context.js';
import { type Cell, csvFile } from '../parts/csv.js';
import type { StreamedDownload } from '../page/page.js';
import { numberedPage, type NumberedPage } from '../parts/numbered-pages.js';
import type { ListedTenant } from '../parts/tenant-links.js';
import { localDate } from '../parts/words.js';
import { sumsOf, type TableTenant, type TenantCounts, type TenantSite } from './tenant-table.js';
import { TenantTableReader, type WantedTenants } from './tenant-table.reader.js';

/** Sites whose tenants are read whole. Of more, one is chosen first; until then their tenants are listed as they stand. */
export const MOST_SITES = 50;
/** Tenants on a page. */
const PAGE = 100;

/** A tenant as a row shows one. */
export interface TenantRow extends ListedTenant, RentedUnits {
  readonly site: TenantSite;
  /** A decimal amount. Null: unknown, because the tenant has too many units for a list that is not read whole. */
  readonly owed: number | null;
  /** Null: nothing is late, or unknown as `owed`. */
  readonly days_late: number | null;
  /** When a lock of one of these units was last opened, ISO 8601; null: never since the tenant moved in. */
  readonly last_opened_at: string | null;
}

/** What the address of a list asks for. */
export interface AskedTenants extends WantedTenants {
  readonly company_id: string;
  /** The only sites whose tenants are listed. */
  readonly sites: readonly TenantSite[];
  readonly page: number;
  /** Of a list that is not read whole. */
  readonly cursor: string | undefined;
}

interface WholeTenantList extends Omit<NumberedPage<TenantRow>, 'rows'> {
  readonly counts: TenantCounts;
  /** What the search leaves. The total is what the filter leaves of that. */
  readonly found: number;
}

/** A part of the list. */
export interface TenantListPage {
  readonly rows: readonly TenantRow[];
  /** Milliseconds. */
  readonly now: number;
  /** Undefined: the list is not read whole. */
  readonly whole: WholeTenantList | undefined;
  /** Of a list that is not read whole. */
  readonly next_cursor: string | null;
}

const FILED = [
  ...(['tenant_id', 'pms_tenant_id', 'name', 'email', 'phone'] as const),
  ...(['location', 'owed', 'currency', 'days_late'] as const),
];

/** Reads lists of tenants. All methods throw StoreUnavailableError and GivenUpError. */
@Injectable()
export class TenantListReader {
  constructor(
    private readonly table: TenantTableReader,
    private readonly reads: TenantReads,
    private readonly everywhere: SearchEverywhere,
    private readonly clocks: CompanyClocks,
  ) {}

  async read(asked: AskedTenants, context: OperatorContext): Promise<TenantListPage> {
    const { company_id, sites } = asked;
    const now = await this.clocks.now(company_id);
    if (sites.length > MOST_SITES) return this.#asTheyStand(asked, now, context);
    const { tenants, counts, found } = await this.table.read(company_id, sites, asked, context);
    const { rows: shown, ...numbers } = numberedPage(tenants, asked.page, PAGE);
    const rows = (await this.everywhere.withUnits(shown)).map(withLastOpened);
    return { rows, now, whole: { ...numbers, counts, found }, next_cursor: null };
  }

  /** The whole list. Of many sites it is read site by site as it is sent. */
  csv(asked: AskedTenants, context: OperatorContext): Promise<StreamedDownload> {
    const { company_id, sites } = asked;
    const parts = sites.length > MOST_SITES ? sites.map((site) => [site]) : [sites];
    return csvFile('tenants', FILED, async (cursor = '0') => {
      const part = Number(cursor);
      const { tenants } = await this.table.read(company_id, parts[part] ?? [], asked, context);
      return {
        lines: tenants.map((tenant) => FILED.map((name) => filed(tenant, name))),
        next_cursor: part + 1 < parts.length ? String(part + 1) : null,
      };
    });
  }

  async #asTheyStand(
    { company_id, sites, q, cursor }: AskedTenants,
    now: number,
    { principal }: OperatorContext,
  ): Promise<TenantListPage> {
    const range = { limit: PAGE, ...(cursor !== undefined && { cursor }), ...(q !== undefined && { q }) };
    const { tenants, next_cursor } = await this.reads.findTenants({ company_id, ...range }, principal);
    const siteOf = new Map(sites.map((site) => [site.location_id, site]));
    const rows = (await this.everywhere.withUnits(tenants)).flatMap((tenant) => {
      const site = siteOf.get(tenant.location_id);
      if (site === undefined) return [];
      return [withLastOpened({ ...tenant, site, ...knownSumsOf(tenant, localDate(now, site.timezone)) })];
    });
    return { rows, now, whole: undefined, next_cursor };
  }
}

function filed({ site, ...tenant }: TableTenant, name: (typeof FILED)[number]): Cell {
  if (name === 'location') return site.name;
  return name === 'currency' ? site.currency : tenant[name];
}

/** Nulls where not all units are listed. */
function knownSumsOf({ units, unit_count }: RentedUnits, today: string) {
  if (units.length < unit_count) return { owed: null, days_late: null };
  return sumsOf(
    units.map(({ facts }) => facts),
    today,
  );
}

/** The units that are locked out come first, as the list names few. */
function withLastOpened<Row extends RentedUnits & { readonly site: TenantSite }>(row: Row) {
  const opened = row.units.flatMap((unit) => openedAt(unit, row.site.timezone) ?? []);
  const units = row.units.toSorted((one, other) => rankOf(one) - rankOf(other));
  return { ...row, units, last_opened_at: opened.sort().at(-1) ?? null };
}

const rankOf = ({ access }: FoundUnit) => (isLockedOut(access) ? 0 : 1);

/** Null if a tenant before was the last. */
function openedAt(
  { last_accessed_at: at, facts: { move_in_date } }: FoundUnit,
  timezone: string,
): string | null {
  if (at === null || move_in_date === null) return at;
  return localDate(Date.parse(at), timezone) < move_in_date ? null : at;
}
