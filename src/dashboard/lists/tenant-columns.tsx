import type { RentedUnits } from '#api/operator/index.js';
import { isInNoPms } from '#domain/tenants/index.js';
import { None } from '../parts/layout.js';
import type { Column } from '../parts/list-page.js';
import { BriefStateMark } from '../parts/states.js';
import { amountText } from '../parts/words.js';
import { UnitLink } from '../parts/unit-link.js';
import { type ListedTenant, PhoneLink, TenantLink } from '../parts/tenant-links.js';

/** A tenant with some of the units that the tenant rents; files leave them out. */
export type TenantRow = ListedTenant & Partial<RentedUnits>;

export const TENANT_COLUMNS: readonly Column<TenantRow>[] = [
  { name: 'tenant_id' },
  { name: 'pms_tenant_id' },
  { title: 'Name', name: 'name', cell: (tenant) => <TenantLink tenant={tenant} /> },
  { name: 'email' },
  { title: 'Phone', name: 'phone', cell: ({ phone }) => <PhoneLink phone={phone} /> },
  {
    title: 'Units',
    cell: ({ units = [], unit_count = units.length }) => <TenantUnits of={{ units, unit_count }} />,
  },
  { title: 'E-mail', cell: ({ email }) => email ?? '' },
  { title: 'PMS id', cell: ({ pms_tenant_id }) => (isInNoPms(pms_tenant_id) ? <None /> : pms_tenant_id) },
];

/** So many units are named, otherwise only the first. */
const MOST_NAMED = 3;

/** The units of a tenant: `H-012`, and for many `and 17 more`. */
export function TenantUnits({ of: { units, unit_count } }: { readonly of: RentedUnits }) {
  const named = unit_count > MOST_NAMED ? units.slice(0, 1) : units;
  return (
    <ul class="plain">
      {named.map((unit, place) => (
        <li key={unit.unit_id}>
          <UnitLink unit={unit} /> <BriefStateMark {...unit.access} />{' '}
          {unit.facts.balance_due > 0 ? amountText(unit.facts.balance_due, unit.location.currency) : ''}
          {place === named.length - 1 && named.length < unit_count
            ? ` and ${unit_count - named.length} more`
            : ''}
        </li>
      ))}
    </ul>
  );
}
