import { isInNoPms } from '#domain/tenants/index.js';
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

/** The tenant's name, or the PMS's identifier where no name is known. An identifier of the service itself tells nobody anything. */
export function nameOf({ name, pms_tenant_id }: Pick<ListedTenant, 'name' | 'pms_tenant_id'>): string {
  return name ?? (isInNoPms(pms_tenant_id) ? 'Unknown' : pms_tenant_id);
}

export function TenantLink({
  tenant,
}: {
  readonly tenant: Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id'>;
}) {
  return <a href={tenantPath(tenant.tenant_id)}>{nameOf(tenant)}</a>;
}

/** A computer without a phone's app does nothing on such a link. */
export const TEXTS_OPEN = 'Text opens the messages of your phone.';

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
