import type { AccessState } from '../../access/index.js';
import { Table } from '../parts/layout.js';
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

export function UnitTable({
  caption,
  units,
}: {
  readonly caption: string;
  readonly units: readonly ListedUnit[];
}) {
  const rows = units.map((unit) => ({
    key: unit.unit_id,
    cells: [
      <UnitLink unit={unit} />,
      unit.crm_unit_id,
      unit.location.name,
      <StateMark state={unit.access.state} reason={unit.access.reason} />,
      unit.source_type,
    ],
  }));
  return (
    <Table caption={caption} head={['Unit', 'Identifier', 'Location', 'Access', 'Source']} rows={rows} />
  );
}

export const UNIT_COLUMNS = [
  'unit_id',
  'crm_unit_id',
  'unit_name',
  'location',
  'source_type',
  'state',
  'reason',
] as const;

/** The same as rows of a file. */
export function unitRows({ units }: { readonly units: readonly ListedUnit[] }) {
  return units.map(({ access, ...unit }) => ({ ...unit, ...access, location: unit.location.name }));
}
