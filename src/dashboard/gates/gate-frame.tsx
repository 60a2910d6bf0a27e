import type { ComponentChildren } from 'preact';
import type { OperatorRole } from '#kernel/principals.js';
import type { ResultOf } from '#kernel/result-of.js';
import type { EntryPoint } from '#domain/locations/index.js';
import { thingPage } from '../frame/location-frame.js';
import { GateNow } from '../hours/gate-hours.js';
import type { GatePassage } from '../hours/gate-passages.js';
import { GatePill } from '../hours/gate-state.js';
import { gatePath, locationPath } from '../links/paths.js';
import type { Page, Refused } from '../page/page.js';
import { Tabs } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { Removed } from '../parts/times.js';
import type { FramedGate } from './framed-gate.js';
import { GateDialogs, GateMenu } from './gate-menu.js';

const GATE_PARTS = [
  ['', 'Activity'],
  ['/log', 'Log'],
  ['/hours', 'Hours'],
  ['/people', 'Who may open it'],
  ['/as-of', 'As it was'],
  ['/setup', 'Set-up'],
] as const;

export type GatePart = (typeof GATE_PARTS)[number][0];

/** A gate that was removed shows these alone. */
const KEPT_PARTS: readonly GatePart[] = ['', '/log', '/as-of'];

type ReadGate = ResultOf<FramedGate['read']>;

export interface Shown {
  readonly current: GatePart;
  readonly refused?: Refused | undefined;
  /** What an action did, after its message. */
  readonly outcome?: string | undefined;
}

/** A page of a gate: its state, menu and tabs around the content. */
export function gatePage(
  read: ReadGate,
  { current, refused, outcome }: Shown,
  content: ComponentChildren,
): Page {
  const { framed, framing, beside, now } = read;
  const { gate, passage, zone, role } = framing;
  const { removed_at } = gate;
  const mayChange = removed_at === undefined && mayDo(role, 'manager');
  const inFrame = (
    <>
      <Removed at={removed_at} zone={zone} />
      {removed_at === undefined && gate.in_service && isSinceKnown(passage) ? (
        <p class="since">
          <GateNow passage={passage} inService zone={zone} />
        </p>
      ) : null}
      <GateTabs gate={gate} role={role} current={current} />
      {content}
      {mayChange ? <GateDialogs gate={gate} refused={refused} /> : null}
    </>
  );
  return thingPage(framed, undefined, inFrame, {
    title: gate.name,
    ...(current !== '' && { tab: GATE_PARTS.find(([part]) => part === current)![1] }),
    mark:
      removed_at === undefined ? (
        <GatePill gate={{ ...gate, passage }} zone={zone} now={now} size="l" />
      ) : (
        <span class="pill l">Removed</span>
      ),
    sub: <Where read={read} />,
    acts: mayChange ? <GateMenu gate={gate} /> : undefined,
    refused,
    outcome,
    beside,
  });
}

/** Whether there is more to say than beside the heading. */
function isSinceKnown(passage: GatePassage): boolean {
  return passage.kind === 'leaving' || (passage.kind !== 'always' && passage.since !== null);
}

/** `Riverside, to Building A and Building B` */
function Where({ read: { framed, framing } }: { readonly read: ReadGate }) {
  const { location_id, name } = framed.location;
  const { gate, zones } = framing;
  const names = zones.filter(({ zone_id }) => gate.zone_ids.includes(zone_id)).map((one) => one.name);
  return (
    <>
      <a href={locationPath(location_id)}>{name}</a>,{' '}
      {names.length === 0
        ? 'leads to no zone: it opens for nobody'
        : `to ${new Intl.ListFormat('en').format(names)}`}
    </>
  );
}

interface GateTabsProps {
  readonly gate: EntryPoint;
  readonly role: OperatorRole;
  readonly current: GatePart;
}

function GateTabs({ gate, role, current }: GateTabsProps) {
  const path = gatePath(gate.entry_point_id);
  const shown = GATE_PARTS.filter(([part]) => isShown(part, gate, role));
  return (
    <Tabs
      of={shown.map(([part, text]) => [`${path}${part}`, text] as const)}
      current={`${path}${current}`}
      label="Parts of this gate"
    />
  );
}

function isShown(part: GatePart, gate: EntryPoint, role: OperatorRole): boolean {
  if (gate.removed_at !== undefined) return KEPT_PARTS.includes(part);
  return part !== '/setup' || mayDo(role, 'manager');
}
