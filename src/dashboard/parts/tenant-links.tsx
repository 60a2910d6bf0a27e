import { phoneText } from './words.js';
import { None } from './layout.js';
import { tenantPath } from '../links/paths.js';

export interface ListedTenant {
  readonly tenant_id: string;
  readonly pms_tenant_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** The tenant's name, or the PMS's identifier where no name is known. */
export function TenantLink({
  tenant,
}: {
  readonly tenant: Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id'>;
}) {
  return <a href={tenantPath(tenant.tenant_id)}>{tenant.name ?? tenant.pms_tenant_id}</a>;
}

/** A number to call. */
export function PhoneLink({ phone }: { readonly phone: string | null }) {
  return phone === null ? (
    <None />
  ) : (
    <a class="whole" href={`tel:${phone}`}>
      {phoneText(phone)}
    </a>
  );
}
