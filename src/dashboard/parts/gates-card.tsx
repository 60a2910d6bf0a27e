import type { UnitGate } from '#domain/access/index.js';
import { gatePath } from '../links/paths.js';
import { Icon } from './icon.js';
import { Empty } from './layout.js';
import { Mark } from './states.js';

interface GatesCardProps {
  readonly gates: readonly UnitGate[];
  /** Beside the title. */
  readonly note?: string;
  /** In place of the list, where no gate is told. */
  readonly empty: string;
  /** The mark of a gate that opens. */
  readonly opensText: string;
  /** Why a gate opens or not. Empty: nothing is said. */
  readonly whyOf: (gate: UnitGate) => string;
}

/** The gates that somebody passes or not, and why. */
export function GatesCard({ gates, note, empty, opensText, whyOf }: GatesCardProps) {
  return (
    <section class="card bare" aria-labelledby="gates-head">
      <div class="card-head">
        <h2 id="gates-head">Gates</h2>
        {note === undefined ? null : <span class="count">{note}</span>}
      </div>
      {gates.length === 0 ? (
        <div class="card-body">
          <Empty>{empty}</Empty>
        </div>
      ) : (
        <ul class="entries">
          {gates.map((gate) => {
            const why = whyOf(gate);
            return (
              <li key={gate.entry_point_id}>
                <Icon name="barrier-block" />
                <span class="what">
                  <a href={gatePath(gate.entry_point_id)}>{gate.name}</a>
                </span>
                <Mark tone={gate.opens ? 'good' : 'bad'}>{gate.opens ? opensText : 'No'}</Mark>
                {why === '' ? null : <span class="where">{why}</span>}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
