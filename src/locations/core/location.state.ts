import { IdMap } from './id-map.js';
import { type LockPlacement, withPlacement, endPlacement } from './lock-placements.js';
import { type ZoneStay, withZones } from './zone-stays.js';
import type { LocationPolicy } from './location-policy.js';
import type { EntryPointKind, LocationEvent, LocationEvents } from './location.events.js';

interface Revised {
  /** The revision of the location's stream that last changed this part. */
  readonly revision: number;
}

export interface LocationDetails extends Revised {
  readonly location_id: string;
  readonly company_id: string;
  readonly pms_location_code: string;
  readonly name: string;
  readonly policy: LocationPolicy;
  /** The revision that last set the policy. */
  readonly policy_revision: number;
  /** Every revision that set one of these fields, oldest first. Readers of the past read only these events. */
  readonly set_at: readonly number[];
}

export interface ZoneState extends Revised {
  readonly zone_id: string;
  readonly location_id: string;
  readonly name: string;
}

export interface EntryPointState extends Revised {
  readonly entry_point_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly kind: EntryPointKind;
  readonly zone_ids: readonly string[];
  /** Every zone that it ever served, oldest first. */
  readonly zone_stays: readonly ZoneStay[];
  readonly in_service: boolean;
}

export interface LockState extends Revised {
  readonly lock_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly unit_id: string | null;
  /** Every unit that the lock was on, oldest first. */
  readonly placements: readonly LockPlacement[];
}

/** For a unit that is or was in a zone or had a lock. */
export interface UnitZonesAndLocks extends Revised {
  readonly unit_id: string;
  readonly zone_ids: readonly string[];
  /** Every zone that the unit was ever in, oldest first. */
  readonly zone_stays: readonly ZoneStay[];
  /** Every lock that was ever on the unit. */
  readonly lock_ids: readonly string[];
}

/** The state of a location's stream at `revision`. */
export interface LocationState extends Revised {
  readonly details: LocationDetails;
  readonly zones: IdMap<ZoneState>;
  readonly entry_points: IdMap<EntryPointState>;
  readonly locks: IdMap<LockState>;
  readonly units: IdMap<UnitZonesAndLocks>;
}

/**
 * Applies one event.
 * @param state undefined before the first event, which is always `LocationOpened`
 */
export function evolveLocation(
  state: LocationState | undefined,
  event: LocationEvent,
  revision: number,
): LocationState {
  if (event.type === 'LocationOpened') {
    return {
      details: { ...event.data, policy_revision: revision, set_at: [revision], revision },
      zones: IdMap.empty(),
      entry_points: IdMap.empty(),
      locks: IdMap.empty(),
      units: IdMap.empty(),
      revision,
    };
  }
  if (state === undefined)
    throw new Error(`A location's stream begins with ${event.type} instead of LocationOpened.`);
  return { ...state, ...change(state, event, revision), revision };
}

type EventAfterOpening = Exclude<LocationEvent, { type: 'LocationOpened' }>;

function change(state: LocationState, event: EventAfterOpening, revision: number): Partial<LocationState> {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const apply = CHANGES[event.type] as (
    state: LocationState,
    data: object,
    revision: number,
  ) => Partial<LocationState>;
  return apply(state, event.data, revision);
}

// Stryker disable next-line ArrowFunction: undefined adds nothing, like an empty object
const noChange = (): Partial<LocationState> => ({});

const CHANGES: {
  readonly [Type in EventAfterOpening['type']]: (
    state: LocationState,
    data: LocationEvents[Type],
    revision: number,
  ) => Partial<LocationState>;
} = {
  LocationRenamed: ({ details }, { name }, revision) => ({
    details: { ...details, name, set_at: [...details.set_at, revision], revision },
  }),
  LocationPolicyChanged: ({ details }, { policy }, revision) => ({
    details: {
      ...details,
      policy,
      policy_revision: revision,
      set_at: [...details.set_at, revision],
      revision,
    },
  }),
  ZoneAdded: ({ details: { location_id }, zones }, data, revision) => ({
    zones: zones.set(data.zone_id, { ...data, location_id, revision }),
  }),
  UnitZoned: ({ units }, data, revision) => withUnitInZone(units, data, revision, true),
  UnitUnzoned: ({ units }, data, revision) => withUnitInZone(units, data, revision, false),
  EntryPointAdded: ({ details: { location_id }, entry_points }, data, revision) => ({
    entry_points: entry_points.set(data.entry_point_id, addedEntryPoint(data, location_id, revision)),
  }),
  EntryPointChanged: ({ entry_points }, { at, ...data }, revision) => ({
    entry_points: withChange(entry_points, data.entry_point_id, ({ zone_ids, zone_stays }) => {
      return { ...data, zone_stays: withZones(zone_stays, data.zone_ids ?? zone_ids, at), revision };
    }),
  }),
  LockAdded: ({ details: { location_id }, locks }, data, revision) => ({
    locks: locks.set(data.lock_id, { ...data, location_id, unit_id: null, placements: [], revision }),
  }),
  LockAttached: ({ locks, units }, { lock_id, unit_id, at }, revision) => ({
    locks: withChange(locks, lock_id, ({ placements }) => {
      return { unit_id, placements: withPlacement(placements, unit_id, at), revision };
    }),
    units: withUnit(units, unit_id, revision, ({ lock_ids }) => ({
      lock_ids: lock_ids.includes(lock_id) ? lock_ids : [...lock_ids, lock_id],
    })),
  }),
  LockDetached: ({ locks, units }, { lock_id, unit_id, at }, revision) => ({
    locks: withChange(locks, lock_id, ({ placements }) => {
      return { unit_id: null, placements: endPlacement(placements, at), revision };
    }),
    units: withUnit(units, unit_id, revision, () => ({})),
  }),
  LockProvisioned: noChange,
  EntryPointProvisioned: noChange,
};

function addedEntryPoint(
  { at, ...data }: LocationEvents['EntryPointAdded'],
  location_id: string,
  revision: number,
): EntryPointState {
  return { ...data, location_id, zone_stays: withZones([], data.zone_ids, at), revision };
}

function withUnitInZone(
  units: IdMap<UnitZonesAndLocks>,
  { zone_id, unit_id, at }: LocationEvents['UnitZoned'],
  revision: number,
  isInside: boolean,
): Partial<LocationState> {
  const changeOf = (before: UnitZonesAndLocks) => {
    const others = before.zone_ids.filter((other) => other !== zone_id);
    const zone_ids = isInside ? [...others, zone_id] : others;
    return { zone_ids, zone_stays: withZones(before.zone_stays, zone_ids, at) };
  };
  return { units: withUnit(units, unit_id, revision, changeOf) };
}

function withUnit(
  units: IdMap<UnitZonesAndLocks>,
  unit_id: string,
  revision: number,
  changeOf: (before: UnitZonesAndLocks) => Partial<UnitZonesAndLocks>,
): IdMap<UnitZonesAndLocks> {
  const before = units.get(unit_id) ?? { unit_id, zone_ids: [], zone_stays: [], lock_ids: [], revision };
  return units.set(unit_id, { ...before, ...changeOf(before), revision });
}

function withChange<Value extends object>(
  map: IdMap<Value>,
  id: string,
  differenceOf: (before: Value) => Partial<Value>,
): IdMap<Value> {
  const before = map.get(id);
  if (before === undefined) throw new Error('An event changes what was never added.');
  return map.set(id, { ...before, ...differenceOf(before) });
}
