import type { ComponentChildren } from 'preact';
import type { OperatorRole } from '../../http/authentication.js';
import type { EntryPoint } from '../../locations/index.js';
import type { ListedZone } from '../locations/equipment-lists.js';
import { gatePath } from '../locations/location-frame.js';
import { Tabs } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';

const GATE_PARTS = [
  ['', 'Activity'],
  ['/setup', 'Set-up'],
] as const;

interface GateFrameProps {
  readonly gate: EntryPoint;
  /** All zones of its location. */
  readonly zones: readonly ListedZone[];
  readonly role: OperatorRole;
  readonly current: (typeof GATE_PARTS)[number][0];
  readonly children: ComponentChildren;
}

/** The zones that a gate leads to, and the tabs of its pages. */
export function GateFrame({ gate, zones, role, current, children }: GateFrameProps) {
  const path = gatePath(gate.entry_point_id);
  const names = zones.filter(({ zone_id }) => gate.zone_ids.includes(zone_id)).map(({ name }) => name);
  return (
    <>
      <p>
        {names.length === 0 ? 'Leads to no zone: it opens for nobody.' : `Leads to: ${names.join(', ')}.`}
      </p>
      {mayDo(role, 'manager') ? (
        <Tabs
          of={GATE_PARTS.map(([part, text]) => [`${path}${part}`, text] as const)}
          current={`${path}${current}`}
          label="Parts of this gate"
        />
      ) : null}
      {children}
    </>
  );
}
