import type { UnitGate } from '#domain/access/index.js';
import { GatesCard } from '../parts/gates-card.js';
import type { UnitDetail } from './unit-detail.js';

interface UnitGatesCardProps {
  readonly unit: UnitDetail;
  readonly gates: readonly UnitGate[];
}

/** The gates that the unit's tenant passes or not, and why. */
export function UnitGatesCard({ unit, gates }: UnitGatesCardProps) {
  if (unit.tenant === null) return null;
  return (
    <GatesCard
      gates={gates}
      empty={
        unit.zones.length === 0
          ? 'The unit is in no zone, so it opens no gate.'
          : 'No gate leads to its zone.'
      }
      opensText="Yes"
      whyOf={(gate) => whyOf(gate, unit)}
    />
  );
}

/** The reason why a gate opens or not, unless it is the unit's own state. */
function whyOf(
  { opens, reason, opened_by }: UnitGate,
  { unit_name, round_the_clock, access: { state } }: UnitDetail,
): string {
  if (reason === 'out_of_service') return 'Out of service';
  if (reason === 'outside_hours') return 'Outside of its hours';
  if (!opens) return 'None of the tenant’s units there is open';
  if (state === 'tenant_permitted') return round_the_clock ? 'Round the clock' : '';
  return `By ${opened_by.filter((one) => one !== unit_name).join(', ')}`;
}
