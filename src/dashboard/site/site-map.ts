import type { AccessReason, AccessState } from '#domain/access/index.js';
import { type ShownState, shownStateOf } from '../parts/states.js';

export interface MappedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Null where nobody rents it. */
  readonly tenant: string | null;
  /** A decimal amount. */
  readonly balance_due: number;
  readonly currency: string;
  readonly zone_ids: readonly string[];
}

interface NamedZone {
  readonly zone_id: string;
  readonly name: string;
}

export interface MapGroup {
  /** Null for units in no zone. */
  readonly zone_name: string | null;
  readonly units: readonly MappedUnit[];
}

/** How a unit's tile is marked on the map; `fine`: no mark. */
export type TileKind = 'fine' | 'empty' | 'denied' | 'auction' | 'unrentable' | 'exempt' | 'early';

const BY_NAME = new Intl.Collator('en', { numeric: true });

const KINDS: Readonly<Record<Exclude<ShownState, 'tenant_permitted'>, TileKind>> = {
  early: 'early',
  tenant_denied: 'denied',
  auction: 'auction',
  unrentable: 'unrentable',
  vacant: 'empty',
};

export function kindOf({ state, reason }: Pick<MappedUnit, 'state' | 'reason'>): TileKind {
  const shown = shownStateOf({ state, reason });
  if (shown !== 'tenant_permitted') return KINDS[shown];
  return reason === 'system_exempt' || reason === 'pms_exempt' ? 'exempt' : 'fine';
}

/** Units by zone, by name. A unit in several zones appears once, in the first of them. */
export function byZone(units: readonly MappedUnit[], zones: readonly NamedZone[]): MapGroup[] {
  const groups = new Map<string | null, MappedUnit[]>(zones.map(({ zone_id }) => [zone_id, []]));
  groups.set(null, []);
  for (const unit of [...units].sort((one, other) => BY_NAME.compare(one.unit_name, other.unit_name))) {
    const first = zones.find(({ zone_id }) => unit.zone_ids.includes(zone_id));
    groups.get(first?.zone_id ?? null)!.push(unit);
  }
  const names = new Map<string | null, string>(zones.map(({ zone_id, name }) => [zone_id, name]));
  return [...groups]
    .filter(([, inZone]) => inZone.length > 0)
    .map(([zone_id, inZone]) => ({ zone_name: names.get(zone_id) ?? null, units: inZone }));
}

interface Gate {
  readonly entry_point_id: string;
  readonly zone_ids: readonly string[];
}

/** The units in a zone of the gate. @param gate its id; undefined: all units */
export function behindGate(
  units: readonly MappedUnit[],
  gate: string | undefined,
  gates: readonly Gate[],
): readonly MappedUnit[] {
  if (gate === undefined) return units;
  const zones = gates.find(({ entry_point_id }) => entry_point_id === gate)?.zone_ids ?? [];
  return units.filter(({ zone_ids }) => zone_ids.some((zone_id) => zones.includes(zone_id)));
}

/** How many units have each state. */
export type StateCounts = ReadonlyMap<ShownState, number>;

export function countStates(units: readonly Pick<MappedUnit, 'state' | 'reason'>[]): StateCounts {
  const counts = new Map<ShownState, number>();
  for (const unit of units) {
    const shown = shownStateOf(unit);
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return counts;
}
