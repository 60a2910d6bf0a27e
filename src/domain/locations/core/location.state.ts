import { type LockPlacement, withPlacement, endPlacement } from './lock-placements.js';
import { type ZoneStay, withZones } from './zone-stays.js';
import { type LocationContact, NO_CONTACT } from './contact.js';
import { DEFAULT_CURRENCY } from './currencies.js';
import type { AccessHours } from './hours/access-hours.js';
import type { LocationPolicy } from './location-policy.js';
import { type LocationNotices, NEVER_NOTICED, NO_NOTICES, type NoticesSince, sinceAfter } from './notices.js';
import { PartMaps } from './part-maps.js';
import type {
  EntryPointHours,
  EntryPointKind,
  KeyFormat,
  LocationEvent,
  LocationEvents,
} from './location.events.js';

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
  /** Null: always open. */
  readonly access_hours: AccessHours | null;
  /** Every revision that set the hours, oldest first. */
  readonly hours_set_at: readonly number[];
  readonly contact: LocationContact;
  /** ISO 4217. All amounts of the location are in it. */
  readonly currency: string;
  readonly notices: LocationNotices;
  readonly notices_since: NoticesSince;
  /** Whether tenants share their units by themselves (decisions §13). */
  readonly tenant_sharing: boolean;
  /** The revision that last set the policy. */
  readonly policy_revision: number;
  /** Every revision that set name, policy or currency, oldest first. Readers of the past read only these events. */
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
  readonly hours: EntryPointHours;
  /** Every revision that set its own hours, oldest first. Before the first they are `location`. */
  readonly hours_set_at: readonly number[];
  readonly key_format: KeyFormat;
}

export interface LockState extends Revised {
  readonly lock_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly key_format: KeyFormat;
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

/** A thing that was removed, as it was last. Who reads the past still finds it. */
export type Removed<Part> = Part & {
  /** Milliseconds. */
  readonly removed_at: number;
};

/** What a location had once, by id. */
export interface RemovedParts {
  readonly zones: ReadonlyMap<string, Removed<ZoneState>>;
  readonly entry_points: ReadonlyMap<string, Removed<EntryPointState>>;
  readonly locks: ReadonlyMap<string, Removed<LockState>>;
}

/** The state of a location's stream at `revision`. */
export interface LocationState extends Revised {
  readonly details: LocationDetails;
  readonly zones: ReadonlyMap<string, ZoneState>;
  readonly entry_points: ReadonlyMap<string, EntryPointState>;
  readonly locks: ReadonlyMap<string, LockState>;
  readonly units: ReadonlyMap<string, UnitZonesAndLocks>;
  readonly removed: RemovedParts;
}

/** What a new location has not been given yet. */
export const UNSET_DETAILS = {
  access_hours: null,
  contact: NO_CONTACT,
  currency: DEFAULT_CURRENCY,
  notices: NO_NOTICES,
  tenant_sharing: false,
} as const;

/**
 * Applies one event.
 * @param state undefined before the first event, which is always `LocationOpened`
 */
export function evolveLocation(
  state: LocationState | undefined,
  event: LocationEvent,
  revision: number,
): LocationState {
  return apply(state, event, revision, new PartMaps());
}

/** {@link evolveLocation} for one list of events: it changes the maps of states that it has returned. Keep only the last one. */
export function evolveLocationList(): typeof evolveLocation {
  const maps = new PartMaps();
  return (state, event, revision) => apply(state, event, revision, maps);
}

function apply(
  state: LocationState | undefined,
  event: LocationEvent,
  revision: number,
  maps: PartMaps,
): LocationState {
  if (event.type === 'LocationOpened') {
    return {
      details: {
        ...event.data,
        ...UNSET_DETAILS,
        notices_since: NEVER_NOTICED,
        hours_set_at: [],
        policy_revision: revision,
        set_at: [revision],
        revision,
      },
      zones: new Map(),
      entry_points: new Map(),
      locks: new Map(),
      units: new Map(),
      removed: { zones: new Map(), entry_points: new Map(), locks: new Map() },
      revision,
    };
  }
  if (state === undefined)
    throw new Error(`A location's stream begins with ${event.type} instead of LocationOpened.`);
  return { ...state, ...change(state, event, revision, maps), revision };
}

type EventAfterOpening = Exclude<LocationEvent, { type: 'LocationOpened' }>;

function change(
  state: LocationState,
  event: EventAfterOpening,
  revision: number,
  maps: PartMaps,
): Partial<LocationState> {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const changeOf = CHANGES[event.type] as (
    state: LocationState,
    data: object,
    revision: number,
    maps: PartMaps,
  ) => Partial<LocationState>;
  return changeOf(state, event.data, revision, maps);
}

const noChange = (): Partial<LocationState> => ({});

const CHANGES: {
  readonly [Type in EventAfterOpening['type']]: (
    state: LocationState,
    data: LocationEvents[Type],
    revision: number,
    maps: PartMaps,
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
  LocationHoursChanged: ({ details }, { access_hours }, revision) => ({
    details: { ...details, access_hours, hours_set_at: [...details.hours_set_at, revision], revision },
  }),
  LocationContactChanged: ({ details }, contact, revision) => ({
    details: { ...details, contact: { ...details.contact, ...contact }, revision },
  }),
  LocationPaymentUrlChanged: ({ details }, { payment_url }, revision) => ({
    details: { ...details, contact: { ...details.contact, payment_url }, revision },
  }),
  LocationCurrencyChanged: ({ details }, { currency }, revision) => ({
    details: { ...details, currency, set_at: [...details.set_at, revision], revision },
  }),
  LocationNoticesChanged: ({ details }, { notices, at }, revision) => ({
    details: {
      ...details,
      notices,
      notices_since: sinceAfter(details.notices_since, notices, at),
      revision,
    },
  }),
  LocationTenantSharingChanged: ({ details }, { tenant_sharing }, revision) => ({
    details: { ...details, tenant_sharing, revision },
  }),
  ZoneAdded: ({ details: { location_id }, zones }, data, revision, maps) => ({
    zones: maps.with(zones, data.zone_id, { ...data, location_id, revision }),
  }),
  ZoneRenamed: ({ zones }, { zone_id, name }, revision, maps) => ({
    zones: maps.withChange(zones, zone_id, () => ({ name, revision })),
  }),
  ZoneRemoved: ({ details, zones, removed }, { zone_id, at }, revision, maps) => {
    const [left, gone] = maps.without(zones, zone_id, { removed_at: at, revision });
    return {
      zones: left,
      removed: { ...removed, zones: maps.with(removed.zones, zone_id, gone) },
      details: { ...details, revision },
    };
  },
  UnitZoned: ({ units }, data, revision, maps) => withUnitInZone(maps, units, data, revision, true),
  UnitUnzoned: ({ units }, data, revision, maps) => withUnitInZone(maps, units, data, revision, false),
  EntryPointAdded: ({ details: { location_id }, entry_points }, data, revision, maps) => ({
    entry_points: maps.with(entry_points, data.entry_point_id, addedEntryPoint(data, location_id, revision)),
  }),
  EntryPointChanged: ({ entry_points }, { at, ...data }, revision, maps) => ({
    entry_points: maps.withChange(entry_points, data.entry_point_id, ({ zone_ids, zone_stays }) => {
      return { ...data, zone_stays: withZones(zone_stays, data.zone_ids ?? zone_ids, at), revision };
    }),
  }),
  EntryPointHoursChanged: ({ entry_points }, { entry_point_id, hours }, revision, maps) => ({
    entry_points: maps.withChange(entry_points, entry_point_id, ({ hours_set_at }) => {
      return { hours, hours_set_at: [...hours_set_at, revision], revision };
    }),
  }),
  EntryPointKeyFormatChanged: ({ entry_points }, { entry_point_id, key_format }, revision, maps) => ({
    entry_points: maps.withChange(entry_points, entry_point_id, () => ({ key_format, revision })),
  }),
  EntryPointRemoved: ({ details, entry_points, removed }, { entry_point_id, at }, revision, maps) => {
    const [left, { zone_stays, ...gone }] = maps.without(entry_points, entry_point_id, {
      removed_at: at,
      revision,
    });
    const last = { ...gone, zone_stays: withZones(zone_stays, [], at) };
    return {
      entry_points: left,
      removed: { ...removed, entry_points: maps.with(removed.entry_points, entry_point_id, last) },
      details: { ...details, revision },
    };
  },
  LockAdded: ({ details: { location_id }, locks }, data, revision, maps) => ({
    locks: maps.with(locks, data.lock_id, {
      ...data,
      location_id,
      key_format: 1,
      unit_id: null,
      placements: [],
      revision,
    }),
  }),
  LockAttached: ({ locks, units }, { lock_id, unit_id, at }, revision, maps) => ({
    locks: maps.withChange(locks, lock_id, ({ placements }) => {
      return { unit_id, placements: withPlacement(placements, unit_id, at), revision };
    }),
    units: withUnit(maps, units, unit_id, revision, ({ lock_ids }) => ({
      lock_ids: lock_ids.includes(lock_id) ? lock_ids : [...lock_ids, lock_id],
    })),
  }),
  LockDetached: ({ locks, units }, { lock_id, unit_id, at }, revision, maps) => ({
    locks: maps.withChange(locks, lock_id, ({ placements }) => {
      return { unit_id: null, placements: endPlacement(placements, at), revision };
    }),
    units: withUnit(maps, units, unit_id, revision, () => ({})),
  }),
  LockKeyFormatChanged: ({ locks, units }, { lock_id, key_format }, revision, maps) =>
    withChangedLock(maps, locks, units, lock_id, { key_format, revision }),
  LockRenamed: ({ locks, units }, { lock_id, name }, revision, maps) =>
    withChangedLock(maps, locks, units, lock_id, { name, revision }),
  LockRemoved: ({ locks, removed }, { lock_id, at }, revision, maps) => {
    const [left, gone] = maps.without(locks, lock_id, { removed_at: at, revision });
    return { locks: left, removed: { ...removed, locks: maps.with(removed.locks, lock_id, gone) } };
  },
  LockProvisioned: noChange,
  EntryPointProvisioned: noChange,
};

function addedEntryPoint(
  { at, ...data }: LocationEvents['EntryPointAdded'],
  location_id: string,
  revision: number,
): EntryPointState {
  const zone_stays = withZones([], data.zone_ids, at);
  const settings = { hours: 'location', hours_set_at: [], key_format: 1 } as const;
  return { ...data, location_id, zone_stays, ...settings, revision };
}

function withUnitInZone(
  maps: PartMaps,
  units: ReadonlyMap<string, UnitZonesAndLocks>,
  { zone_id, unit_id, at }: LocationEvents['UnitZoned'],
  revision: number,
  isInside: boolean,
): Partial<LocationState> {
  const changeOf = (before: UnitZonesAndLocks) => {
    const others = before.zone_ids.filter((other) => other !== zone_id);
    const zone_ids = isInside ? [...others, zone_id] : others;
    return { zone_ids, zone_stays: withZones(before.zone_stays, zone_ids, at) };
  };
  return { units: withUnit(maps, units, unit_id, revision, changeOf) };
}

function withUnit(
  maps: PartMaps,
  units: ReadonlyMap<string, UnitZonesAndLocks>,
  unit_id: string,
  revision: number,
  changeOf: (before: UnitZonesAndLocks) => Partial<UnitZonesAndLocks>,
): ReadonlyMap<string, UnitZonesAndLocks> {
  const before = units.get(unit_id) ?? { unit_id, zone_ids: [], zone_stays: [], lock_ids: [], revision };
  return maps.with(units, unit_id, { ...before, ...changeOf(before), revision });
}

/** The unit that the lock is on changes, too: its view names the lock. */
function withChangedLock(
  maps: PartMaps,
  locks: ReadonlyMap<string, LockState>,
  units: ReadonlyMap<string, UnitZonesAndLocks>,
  lock_id: string,
  difference: Partial<LockState> & Revised,
): Partial<LocationState> {
  const unit_id = locks.get(lock_id)?.unit_id ?? null;
  return {
    locks: maps.withChange(locks, lock_id, () => difference),
    ...(unit_id !== null && { units: withUnit(maps, units, unit_id, difference.revision, () => ({})) }),
  };
}
