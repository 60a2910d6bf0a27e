import type { UnitGate } from '#domain/access/index.js';
import { shortInstantText } from '../hours/gate-state.js';
import { GatesCard } from '../parts/gates-card.js';

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
    <GatesCard
      gates={gates}
      note="now, by these units"
      empty="No gate leads to a unit of this tenant."
      opensText="Opens"
      whyOf={(gate) => whyOf(gate, zone, now)}
    />
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
