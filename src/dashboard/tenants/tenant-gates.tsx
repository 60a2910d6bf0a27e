import type { UnitGate } from '#domain/access/index.js';
import { shortInstantText } from '../hours/gate-state.js';
import { gatePath } from '../links/paths.js';
import { Icon } from '../parts/icon.js';
import { Empty } from '../parts/layout.js';
import { Mark } from '../parts/states.js';

interface TenantGatesProps {
  readonly gates: readonly UnitGate[];
  /** Time zone of the location. */
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** The gates that open for the tenant or not, by units alone: passes are listed apart. */
export function TenantGates({ gates, zone, now }: TenantGatesProps) {
  return (
    <section class="card bare" aria-labelledby="gates-head">
      <div class="card-head">
        <h2 id="gates-head">Gates</h2>
        <span class="count">now, by these units</span>
      </div>
      {gates.length === 0 ? (
        <div class="card-body">
          <Empty>No gate leads to a unit of this tenant.</Empty>
        </div>
      ) : (
        <ul class="entries">
          {gates.map((gate) => (
            <li key={gate.entry_point_id}>
              <Icon name="barrier-block" />
              <span class="what">
                <a href={gatePath(gate.entry_point_id)}>{gate.name}</a>
              </span>
              <Mark tone={gate.opens ? 'good' : 'bad'}>{gate.opens ? 'Opens' : 'No'}</Mark>
              <span class="where">{whyOf(gate, zone, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** `For B-114, until 10 PM` */
function whyOf(gate: UnitGate, zone: string, now: number): string {
  const { opens, reason, opened_by, opens_at, closes_at } = gate;
  const short = (at: string) => shortInstantText(Date.parse(at), zone, now);
  if (reason === 'out_of_service') return 'Out of service';
  if (reason === 'outside_hours')
    return opens_at === null ? 'Outside of its hours' : `Closed, opens ${short(opens_at)}`;
  if (!opens) return 'None of the tenant’s units behind it is open';
  const units = `For ${new Intl.ListFormat('en').format(opened_by)}`;
  return closes_at === null ? units : `${units}, until ${short(closes_at)}`;
}
