import type { SearchEverywhere, TenantReads } from '#api/operator/index.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { listPage, type ListRange, type RowsPage } from '../parts/list-page.js';
import { TENANT_COLUMNS, type TenantRow } from './tenant-columns.js';

interface TenantSources {
  readonly reads: TenantReads;
  readonly everywhere: SearchEverywhere;
}

interface ListedTenants {
  /** The page of the company or of the location. */
  readonly page: string;
  readonly place: { readonly company_id: string } | { readonly location_id: string };
  readonly principal: OperatorPrincipal;
}

/** The tenants of a company or of a location, as a page with their units, and as a file. */
export function tenantList({ reads, everywhere }: TenantSources, { page, place, principal }: ListedTenants) {
  const path = `${page}/tenants`;
  const read = async (range: ListRange): Promise<RowsPage<TenantRow>> => {
    const { tenants, next_cursor } = await reads.findTenants({ ...place, ...range }, principal);
    return { rows: tenants, next_cursor };
  };
  return listPage({
    caption: 'Tenants',
    name: 'tenants',
    path,
    file: `${path}.csv`,
    columns: TENANT_COLUMNS,
    keyOf: ({ tenant_id }) => tenant_id,
    read: async (range) => {
      const { rows, next_cursor } = await read(range);
      return { rows: await everywhere.withUnits(rows), next_cursor };
    },
    readFile: read,
    empty: 'No tenant yet. Tenants appear when your PMS moves them in.',
  });
}
