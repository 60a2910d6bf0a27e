import { tenantPath } from '../links/paths.js';
import { addPath } from '../parts/drawer.js';
import { MenuAct, MenuLink, MoreMenu } from '../parts/more-menu.js';
import { type ListedTenant, nameOf } from '../parts/tenant-links.js';

interface MenuProps {
  readonly of: Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id' | 'phone'>;
  readonly mayChange: boolean;
}

/** What is done most often with a tenant of a list. */
export function TenantMenu({ of, mayChange }: MenuProps) {
  const { tenant_id, phone } = of;
  if (phone === null && !mayChange) return null;
  return (
    <MoreMenu id={tenant_id} of={nameOf(of)}>
      {phone === null ? null : (
        <>
          <MenuLink icon="phone" href={`tel:${phone}`}>
            Call
          </MenuLink>
          <MenuLink icon="message" href={`sms:${phone}`}>
            Text
          </MenuLink>
        </>
      )}
      {phone !== null && mayChange ? <hr /> : null}
      {mayChange ? <TenantChanges tenant_id={tenant_id} place="row" /> : null}
    </MoreMenu>
  );
}

interface ChangesProps extends Pick<ListedTenant, 'tenant_id'> {
  /** A page may have both: ids of forms are unique. */
  readonly place: 'row' | 'panel';
}

/** For those who may change tenants. */
export function TenantChanges({ tenant_id, place }: ChangesProps) {
  const path = tenantPath(tenant_id);
  return (
    <>
      <MenuLink icon="pencil" href={addPath(path, 'details')}>
        Change details…
      </MenuLink>
      <MenuAct
        icon="device-mobile"
        form={place === 'panel' ? 'sessions' : `sessions-${tenant_id}`}
        action={`${path}/sessions/end`}
      >
        Sign out of the app
      </MenuAct>
    </>
  );
}
