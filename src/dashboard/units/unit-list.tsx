import type { AccessState } from '../../access/index.js';
import { type Column, RowTable } from '../parts/list-page.js';
import { StateMark } from '../parts/states.js';

export interface ListedUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly unit_name: string;
  readonly location: { readonly name: string };
  readonly source_type: string;
  readonly access: { readonly state: AccessState; readonly reason: string | null };
}

export function unitPath(unit_id: string): string {
  return `/dashboard/units/${encodeURIComponent(unit_id)}`;
}

export function UnitLink({ unit }: { readonly unit: Pick<ListedUnit, 'unit_id' | 'unit_name'> }) {
  return <a href={unitPath(unit.unit_id)}>{unit.unit_name}</a>;
}

export const UNIT_COLUMNS: readonly Column<ListedUnit>[] = [
  { name: 'unit_id' },
  { name: 'crm_unit_id' },
  { title: 'Unit', name: 'unit_name', cell: (unit) => <UnitLink unit={unit} /> },
  { title: 'Identifier', cell: ({ crm_unit_id }) => crm_unit_id },
  { title: 'Location', name: 'location', value: ({ location }) => location.name },
  {
    title: 'Access',
    cell: ({ access: { state, reason } }) => <StateMark state={state} reason={reason} />,
  },
  { title: 'Source', name: 'source_type' },
  { name: 'state', value: ({ access }) => access.state },
  { name: 'reason', value: ({ access }) => access.reason },
];

interface UnitTableProps {
  readonly caption: string;
  readonly units: readonly ListedUnit[];
}

export function UnitTable({ caption, units }: UnitTableProps) {
  return <RowTable caption={caption} columns={UNIT_COLUMNS} keyOf={({ unit_id }) => unit_id} rows={units} />;
}
