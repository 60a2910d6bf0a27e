import { unitPath } from '../links/paths.js';

interface NamedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
}

export function UnitLink({ unit }: { readonly unit: NamedUnit }) {
  return (
    <a class="whole" href={unitPath(unit.unit_id)}>
      {unit.unit_name}
    </a>
  );
}
