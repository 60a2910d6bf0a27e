import type { AccessState } from '#domain/access/index.js';
import { type Column, RowTable } from '../parts/list-page.js';
import { RoundTheClockMark, StateMark, yesOrNo } from '../parts/states.js';
import { Instant, KNOWN_SINCE, LockedOutSince } from '../parts/times.js';
import { amountText } from '../parts/words.js';
import { type ListedTenant, nameOf, TenantLink } from '../parts/tenant-links.js';
import { None } from '../parts/layout.js';
import { UnitLink } from '../parts/unit-link.js';

export interface ListedUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly location: { readonly name: string; readonly timezone: string; readonly currency: string };
  readonly source_type: string;
  readonly facts: { readonly balance_due: number };
  readonly access: { readonly state: AccessState; readonly reason: string | null };
  readonly round_the_clock: boolean;
  /** Null where nobody rents it. Absent: the list does not show it. */
  readonly tenant?: Pick<ListedTenant, 'tenant_id' | 'name' | 'pms_tenant_id'> | null;
}

export const TENANT: Column<Pick<ListedUnit, 'tenant'>> = {
  title: 'Tenant',
  name: 'tenant',
  cell: ({ tenant }) => (tenant ? <TenantLink tenant={tenant} /> : <None>–</None>),
  value: ({ tenant }) => tenant && nameOf(tenant),
};

export const UNIT_COLUMNS: readonly Column<ListedUnit>[] = [
  { name: 'unit_id' },
  { name: 'crm_unit_id' },
  { title: 'Unit', name: 'unit_name', cell: (unit) => <UnitLink unit={unit} /> },
  TENANT,
  {
    title: 'Access',
    cell: ({ access: { state, reason }, round_the_clock }) => (
      <>
        <StateMark state={state} reason={reason} />
        <RoundTheClockMark isOn={round_the_clock} />
      </>
    ),
  },
  {
    title: 'Balance',
    name: 'balance_due',
    cell: ({ access: { state }, facts: { balance_due }, location: { currency } }) =>
      state === 'vacant' && balance_due === 0 ? <None>–</None> : amountText(balance_due, currency),
    value: ({ facts }) => facts.balance_due,
  },
  { name: 'currency', value: ({ location }) => location.currency },
  { title: 'Site', name: 'location', value: ({ location }) => location.name },
  { title: 'PMS id', cell: ({ crm_unit_id }) => crm_unit_id },
  { name: 'source_type' },
  { name: 'state', value: ({ access }) => access.state },
  { name: 'reason', value: ({ access }) => access.reason },
  { name: 'round_the_clock', value: ({ round_the_clock }) => yesOrNo(round_the_clock) },
];

export type LockedUnit = ListedUnit & { readonly locked_out_since?: string | null };

/** The same with since when each is locked out. */
export const COLUMNS_WITH_SINCE: readonly Column<LockedUnit>[] = [
  ...UNIT_COLUMNS,
  {
    title: KNOWN_SINCE,
    name: 'locked_out_since',
    cell: ({ access, locked_out_since, location }) => (
      <LockedOutSince access={access} at={locked_out_since} zone={location.timezone} />
    ),
    value: ({ locked_out_since }) => locked_out_since,
  },
];

type SharedUnit = ListedUnit & { readonly shared_until: string | null };

const SHARED_COLUMNS: readonly Column<SharedUnit>[] = [
  ...UNIT_COLUMNS.map((column) => (column === TENANT ? { ...TENANT, title: 'Shared by' } : column)),
  {
    title: 'Share ends',
    cell: ({ shared_until, location }) => (
      <Instant at={shared_until} zone={location.timezone} none="no end date" />
    ),
  },
];

/** Units that others share, with the ends of the shares. */
export function SharedUnitTable({ units }: { readonly units: readonly SharedUnit[] }) {
  return (
    <RowTable
      caption="Units shared by others"
      columns={SHARED_COLUMNS}
      keyOf={({ unit_id }) => unit_id}
      rows={units}
    />
  );
}

interface UnitTableProps {
  readonly caption: string;
  readonly units: readonly ListedUnit[];
}

/** Units without their tenants. */
export function UnitTable({ caption, units }: UnitTableProps) {
  const columns = UNIT_COLUMNS.filter((column) => column !== TENANT);
  return <RowTable caption={caption} columns={columns} keyOf={({ unit_id }) => unit_id} rows={units} />;
}
