import type { HistoryEntry } from '#domain/history/index.js';
import { Section } from '../parts/layout.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { Keys, keysOf } from './locks-and-keys.js';
import type { UnitDetail } from './unit-detail.js';
import type { LowBatteries } from './unit-location.reader.js';
import { FactsSection } from './unit-parts.js';

interface UnitAccessProps {
  readonly unit: UnitDetail;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly batteries: LowBatteries;
}

/** The grounds of the decision: keys that still work, and the data of the PMS. */
export function UnitAccessView({ unit, entries, batteries }: UnitAccessProps) {
  const keys = keysOf(unit);
  return (
    <>
      {unit.locks.map(({ lock_id, name }) =>
        batteries.has(lock_id) ? (
          <p key={lock_id}>
            <BatteryMark percent={batteries.get(lock_id)!} /> {name}
          </p>
        ) : null,
      )}
      {unit.locks.length === 0 && keys.length === 0 ? null : (
        <Section title="Keys">
          <Keys keys={keys} zone={unit.location.timezone} />
        </Section>
      )}
      <FactsSection unit={unit} entries={entries} />
    </>
  );
}
