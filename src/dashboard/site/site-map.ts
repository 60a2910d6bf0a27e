import type { AccessReason, AccessState } from '#domain/access/index.js';
import { sharesZone } from '#domain/locations/index.js';
import { type ShownState, shownStateOf } from '../parts/states.js';

export interface MappedUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
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

const KINDS: Readonly<Record<UnitFilter, TileKind>> = {
  tenant_permitted: 'fine',
  exempt: 'exempt',
  early: 'early',
  tenant_denied: 'denied',
  auction: 'auction',
  unrentable: 'unrentable',
  vacant: 'empty',
};

/** The mark of the units that a filter leaves. */
export function kindOfFilter(filter: UnitFilter): TileKind {
  return KINDS[filter];
}

export function kindOf(unit: Pick<MappedUnit, 'state' | 'reason'>): TileKind {
  return KINDS[filterOf(unit)];
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
  return units.filter(({ zone_ids }) => sharesZone(zone_ids, zones));
}

/** What lists of units are filtered by: a unit has one of them. `exempt`: open though it need not be. */
export type UnitFilter = ShownState | 'exempt';

export function filterOf(unit: Pick<MappedUnit, 'state'> & { readonly reason: string | null }): UnitFilter {
  const shown = shownStateOf(unit);
  const isLetIn = unit.reason === 'system_exempt' || unit.reason === 'pms_exempt';
  return shown === 'tenant_permitted' && isLetIn ? 'exempt' : shown;
}

/** How many units each filter leaves. */
export type StateCounts = ReadonlyMap<UnitFilter, number>;

export function countStates(units: readonly Pick<MappedUnit, 'state' | 'reason'>[]): StateCounts {
  const counts = new Map<UnitFilter, number>();
  for (const unit of units) {
    const filter = filterOf(unit);
    counts.set(filter, (counts.get(filter) ?? 0) + 1);
  }
  return counts;
}
