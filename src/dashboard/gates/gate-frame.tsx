import type { ComponentChildren } from 'preact';
import type { OperatorRole } from '#kernel/principals.js';
import type { EntryPoint } from '#domain/locations/index.js';
import { GateNow } from '../hours/gate-hours.js';
import type { GatePassage } from '../hours/gate-passages.js';
import type { ListedZone } from '../locations/equipment-lists.js';
import { gatePath } from '../links/paths.js';
import { Tabs } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { Removed } from '../parts/times.js';

const GATE_PARTS = [
  ['', 'Activity'],
  ['/hours', 'Hours'],
  ['/setup', 'Set-up'],
] as const;

interface GateFrameProps {
  readonly gate: EntryPoint;
  /** All zones of its location. */
  readonly zones: readonly ListedZone[];
  readonly role: OperatorRole;
  /** What the hours of the gate say now. */
  readonly passage: GatePassage;
  /** Time zone of the location. */
  readonly zone: string;
  readonly current: (typeof GATE_PARTS)[number][0];
  readonly children: ComponentChildren;
}

/** Whether a gate is open now, the zones that it leads to, and the tabs of its pages. */
export function GateFrame({ gate, zones, role, passage, zone, current, children }: GateFrameProps) {
  const path = gatePath(gate.entry_point_id);
  const names = zones.filter(({ zone_id }) => gate.zone_ids.includes(zone_id)).map(({ name }) => name);
  return (
    <>
      <p>
        {gate.removed_at === undefined ? (
          <GateNow passage={passage} inService={gate.in_service} zone={zone} />
        ) : (
          <Removed at={gate.removed_at} zone={zone} />
        )}
      </p>
      <p>
        {names.length === 0 ? 'Leads to no zone: it opens for nobody.' : `Leads to: ${names.join(', ')}.`}
      </p>
      <Tabs
        of={GATE_PARTS.filter(([part]) => part === '' || isShown(part, gate, role)).map(
          ([part, text]) => [`${path}${part}`, text] as const,
        )}
        current={`${path}${current}`}
        label="Parts of this gate"
      />
      {children}
    </>
  );
}

/** A gate that was removed shows its activity alone. */
function isShown(part: '/hours' | '/setup', gate: EntryPoint, role: OperatorRole): boolean {
  if (gate.removed_at !== undefined) return false;
  return part !== '/setup' || mayDo(role, 'manager');
}
