import type { FoundUnit } from '../../operator/index.js';
import type { Column } from '../parts/list-page.js';
import { StateMark } from '../parts/states.js';
import { amountText } from '../parts/words.js';
import { TenantLink } from '../tenants/tenant-list.js';
import { UnitLink } from '../units/unit-list.js';

export const FOUND_UNIT_COLUMNS: readonly Column<FoundUnit>[] = [
  { name: 'unit_id' },
  { name: 'crm_unit_id' },
  { title: 'Unit', name: 'unit_name', cell: (unit) => <UnitLink unit={unit} /> },
  {
    title: 'Tenant',
    name: 'tenant',
    cell: ({ tenant }) => (tenant === null ? '' : <TenantLink tenant={tenant} />),
    value: ({ tenant }) => tenant && (tenant.name ?? tenant.pms_tenant_id),
  },
  { title: 'Access', cell: ({ access: { state, reason } }) => <StateMark state={state} reason={reason} /> },
  {
    title: 'Balance',
    name: 'balance_due',
    cell: ({ facts }) => amountText(facts.balance_due),
    value: ({ facts }) => facts.balance_due,
  },
  { title: 'Location', name: 'location', value: ({ location }) => location.name },
  { title: 'PMS id', cell: ({ crm_unit_id }) => crm_unit_id },
  { name: 'source_type' },
  { name: 'state', value: ({ access }) => access.state },
  { name: 'reason', value: ({ access }) => access.reason },
];
