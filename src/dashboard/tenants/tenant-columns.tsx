import type { FoundUnit } from '../../operator/index.js';
import type { Column } from '../parts/list-page.js';
import { BriefStateMark } from '../parts/states.js';
import { amountText } from '../parts/words.js';
import { UnitLink } from '../units/unit-list.js';
import { type ListedTenant, PhoneLink, TenantLink } from './tenant-list.js';

/** A tenant with some of the units that the tenant rents; files leave them out. */
export type TenantRow = ListedTenant & { readonly units?: readonly FoundUnit[] };

export const TENANT_COLUMNS: readonly Column<TenantRow>[] = [
  { name: 'tenant_id' },
  { name: 'pms_tenant_id' },
  { title: 'Name', name: 'name', cell: (tenant) => <TenantLink tenant={tenant} /> },
  { name: 'email' },
  { title: 'Phone', name: 'phone', cell: ({ phone }) => <PhoneLink phone={phone} /> },
  { title: 'Units', cell: ({ units = [] }) => <TenantUnits units={units} /> },
  { title: 'E-mail', cell: ({ email }) => email ?? '' },
  { title: 'PMS id', cell: ({ pms_tenant_id }) => pms_tenant_id },
];

export function TenantUnits({ units }: { readonly units: readonly FoundUnit[] }) {
  return (
    <ul class="plain">
      {units.map((unit) => (
        <li key={unit.unit_id}>
          <UnitLink unit={unit} /> <BriefStateMark {...unit.access} />{' '}
          {unit.facts.balance_due > 0 ? amountText(unit.facts.balance_due) : ''}
        </li>
      ))}
    </ul>
  );
}
