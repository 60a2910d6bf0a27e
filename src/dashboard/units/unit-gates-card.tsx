import type { UnitGate } from '#domain/access/index.js';
import { gatePath } from '../links/paths.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import type { UnitDetail } from './unit-detail.js';

interface GatesCardProps {
  readonly unit: UnitDetail;
  readonly gates: readonly UnitGate[];
}

/** The gates that the tenant passes or not, and why. */
export function GatesCard({ unit, gates }: GatesCardProps) {
  if (unit.tenant === null) return null;
  return (
    <section class="card bare" aria-labelledby="gates-head">
      <div class="card-head">
        <h2 id="gates-head">Gates</h2>
      </div>
      {gates.length === 0 ? (
        <div class="card-body">
          <Empty>
            {unit.zones.length === 0
              ? 'The unit is in no zone, so it opens no gate.'
              : 'No gate leads to its zone.'}
          </Empty>
        </div>
      ) : (
        <ul class="entries">
          {gates.map((gate) => (
            <li key={gate.entry_point_id}>
              <Icon name="barrier-block" />
              <span class="what">
                <a href={gatePath(gate.entry_point_id)}>{gate.name}</a>
              </span>
              <Mark tone={gate.opens ? 'good' : 'bad'}>{gate.opens ? 'Yes' : 'No'}</Mark>
              <Why of={gate} unit={unit} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Why({ of, unit }: { readonly of: UnitGate; readonly unit: UnitDetail }) {
  const why = whyOf(of, unit);
  return why === '' ? null : <span class="where">{why}</span>;
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
