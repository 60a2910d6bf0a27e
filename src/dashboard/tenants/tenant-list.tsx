import { Table } from '../parts/layout.js';

export interface ListedTenant {
  readonly tenant_id: string;
  readonly pms_tenant_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What a tenant is called; one of whom nothing is known, or no more, by the PMS's identifier. */
export function TenantLink({
  tenant,
}: {
  readonly tenant: Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id'>;
}) {
  return <a href={`/dashboard/tenants/${tenant.tenant_id}`}>{tenant.name ?? tenant.pms_tenant_id}</a>;
}

export function TenantTable({ tenants }: { readonly tenants: readonly ListedTenant[] }) {
  const rows = tenants.map((tenant) => ({
    key: tenant.tenant_id,
    cells: [<TenantLink tenant={tenant} />, tenant.pms_tenant_id, tenant.phone ?? '', tenant.email ?? ''],
  }));
  return <Table caption="Tenants" head={['Name', 'PMS id', 'Phone', 'E-mail']} rows={rows} />;
}

export const TENANT_COLUMNS = ['tenant_id', 'pms_tenant_id', 'name', 'email', 'phone'] as const;
