import { companyPath, equipmentPath, gatePath } from '../links/paths.js';
import { addPath } from '../parts/drawer.js';
import { Icon } from '../parts/icon.js';
import type { SiteOfGates } from './gate-list.reader.js';
import { gateStateText, gateTone } from '../hours/gate-state.js';

/** More gates than these are listed of the chosen one's site alone. */
const MOST_LISTED = 60;

interface GateNavProps {
  readonly company_id: string;
  readonly sites: readonly SiteOfGates[];
  /** The chosen gate. */
  readonly entry_point_id: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** Whether the viewer may add a gate. */
  readonly mayAdd: boolean;
}

/** All gates of the company beside the chosen one. */
export function GateNav({ company_id, sites, entry_point_id, now, mayAdd }: GateNavProps) {
  const all = sites.reduce((count, { gates }) => count + gates.length, 0);
  const isOwn = ({ gates }: SiteOfGates) => gates.some((gate) => gate.entry_point_id === entry_point_id);
  const own = sites.find(isOwn);
  const listed = all > MOST_LISTED ? sites.filter(isOwn) : sites;
  return (
    <nav aria-label="Gates">
      <p class="list-head">
        <a href={`${companyPath(company_id)}/gates`}>
          Gates <span class="count">{all}</span>
        </a>
        {mayAdd && own !== undefined ? (
          <a class="button small" href={addPath(equipmentPath(own.location_id, 'gates'), 'entry-point')}>
            <Icon name="plus" kind="s" />
            Add gate
          </a>
        ) : null}
      </p>
      {listed.map(({ location_id, name, timezone, gates }) => (
        <>
          <h2 key={location_id}>{name}</h2>
          <ul>
            {gates.map((gate) => (
              <li key={gate.entry_point_id}>
                <a
                  href={gatePath(gate.entry_point_id)}
                  aria-current={gate.entry_point_id === entry_point_id ? 'page' : undefined}
                >
                  <span class={`dot ${gateTone(gate)}`} />
                  <span>{gate.name}</span>
                  <span class="sub">{gateStateText(gate, timezone, now)}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
    </nav>
  );
}
