import type { EntryPointState } from '#domain/locations/index.js';
import { equipmentPath, gatePath } from '../links/paths.js';
import { Section } from '../parts/layout.js';
import { GateNow } from './gate-hours.js';
import type { GatePassage } from './gate-passages.js';

/** A location may have 200. */
const LISTED = 12;

interface GatesNowProps {
  readonly location: { readonly location_id: string; readonly timezone: string };
  readonly gates: readonly EntryPointState[];
  /** Whether a gate's hours let somebody pass now. */
  readonly passageOf: (gate: EntryPointState) => GatePassage;
}

/** The gates of a location: until when each is open, or when it opens. */
export function GatesNow({ location, gates, passageOf }: GatesNowProps) {
  if (gates.length === 0) return null;
  return (
    <Section title="Gates">
      <ul class="numbers">
        {gates.slice(0, LISTED).map((gate) => (
          <li key={gate.entry_point_id}>
            <a href={`${gatePath(gate.entry_point_id)}/hours`}>{gate.name}</a>:{' '}
            <GateNow passage={passageOf(gate)} inService={gate.in_service} zone={location.timezone} />
          </li>
        ))}
      </ul>
      {gates.length > LISTED ? (
        <p>
          <a href={equipmentPath(location.location_id, 'gates')}>All {gates.length} gates</a>
        </p>
      ) : null}
    </Section>
  );
}
