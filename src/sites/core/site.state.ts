import { IdMap } from './id-map.js';
import type { LocationPolicy } from './location-policy.js';
import type { EntryPointKind, SiteEvent } from './site.events.js';

/** Everything in a site's state knows the revision of its stream at which it last changed. */
interface Revised {
  readonly revision: number;
}

export interface LocationState extends Revised {
  readonly location_id: string;
  readonly pms_location_code: string;
  readonly name: string;
  readonly policy: LocationPolicy;
  /** The revision that last set the policy. */
  readonly policy_revision: number;
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
  readonly in_service: boolean;
}

export interface LockState extends Revised {
  readonly lock_id: string;
  readonly location_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly unit_id: string | null;
}

/** A unit that has or once had a lock or a zone. */
export interface UnitSiteState extends Revised {
  readonly unit_id: string;
  readonly location_id: string;
  readonly lock_ids: readonly string[];
  readonly zone_ids: readonly string[];
}

export interface ApiTokenState extends Revised {
  readonly token_id: string;
  readonly name: string;
  readonly revoked: boolean;
}

/** A company and its sites as the fold of one stream up to `revision`. */
export interface SiteState extends Revised {
  readonly company_id: string;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
  readonly locations: IdMap<LocationState>;
  readonly zones: IdMap<ZoneState>;
  readonly entry_points: IdMap<EntryPointState>;
  readonly locks: IdMap<LockState>;
  readonly units: IdMap<UnitSiteState>;
  readonly api_tokens: IdMap<ApiTokenState>;
}

/**
 * Folds one event.
 * @param state undefined before the first event, which is always `CompanyRegistered`.
 */
export function evolveSite(state: SiteState | undefined, event: SiteEvent, revision: number): SiteState {
  if (event.type === 'CompanyRegistered') {
    return {
      ...event.data,
      revision,
      locations: IdMap.empty(),
      zones: IdMap.empty(),
      entry_points: IdMap.empty(),
      locks: IdMap.empty(),
      units: IdMap.empty(),
      api_tokens: IdMap.empty(),
    };
  }
  if (state === undefined)
    throw new Error(`A site's stream begins with ${event.type} instead of CompanyRegistered.`);
  return { ...state, ...change(state, event, revision), revision };
}

type EventAfterRegistration = Exclude<SiteEvent, { type: 'CompanyRegistered' }>;
type DataOf<Type extends SiteEvent['type']> = Extract<SiteEvent, { type: Type }>['data'];

function change(state: SiteState, event: EventAfterRegistration, revision: number): Partial<SiteState> {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const apply = CHANGES[event.type] as (
    state: SiteState,
    data: object,
    revision: number,
  ) => Partial<SiteState>;
  return apply(state, event.data, revision);
}

/** What each event does; a type that is missing here does not compile. */
const CHANGES: {
  readonly [Type in EventAfterRegistration['type']]: (
    state: SiteState,
    data: DataOf<Type>,
    revision: number,
  ) => Partial<SiteState>;
} = {
  ApiTokenIssued: (state, data, revision) => ({
    api_tokens: state.api_tokens.set(data.token_id, { ...data, revoked: false, revision }),
  }),
  ApiTokenRevoked: (state, { token_id }, revision) => ({
    api_tokens: changed(state.api_tokens, token_id, { revoked: true, revision }),
  }),
  LocationAdded: (state, data, revision) => ({
    locations: state.locations.set(data.location_id, { ...data, policy_revision: revision, revision }),
  }),
  LocationRenamed: (state, { location_id, name }, revision) => ({
    locations: changed(state.locations, location_id, { name, revision }),
  }),
  LocationPolicyChanged: (state, { location_id, policy }, revision) => ({
    locations: changed(state.locations, location_id, { policy, policy_revision: revision, revision }),
  }),
  ZoneAdded: (state, data, revision) => ({ zones: state.zones.set(data.zone_id, { ...data, revision }) }),
  UnitZoned: (state, data, revision) => zoned(state, data, revision, true),
  UnitUnzoned: (state, data, revision) => zoned(state, data, revision, false),
  EntryPointAdded: (state, data, revision) => ({
    entry_points: state.entry_points.set(data.entry_point_id, { ...data, revision }),
  }),
  EntryPointChanged: (state, data, revision) => ({
    entry_points: changed(state.entry_points, data.entry_point_id, { ...data, revision }),
  }),
  LockAdded: (state, data, revision) => ({
    locks: state.locks.set(data.lock_id, { ...data, unit_id: null, revision }),
  }),
  LockAttached: (state, data, revision) => attached(state, data, revision, true),
  LockDetached: (state, data, revision) => attached(state, data, revision, false),
};

function zoned(
  state: SiteState,
  { zone_id, unit_id }: { zone_id: string; unit_id: string },
  revision: number,
  inside: boolean,
): Partial<SiteState> {
  const unit = unitOf(state, unit_id, state.zones.get(zone_id)?.location_id);
  return {
    units: state.units.set(unit_id, { ...unit, zone_ids: toggled(unit.zone_ids, zone_id, inside), revision }),
  };
}

function attached(
  state: SiteState,
  { lock_id, unit_id }: { lock_id: string; unit_id: string },
  revision: number,
  on: boolean,
): Partial<SiteState> {
  const unit = unitOf(state, unit_id, state.locks.get(lock_id)?.location_id);
  return {
    locks: changed(state.locks, lock_id, { unit_id: on ? unit_id : null, revision }),
    units: state.units.set(unit_id, { ...unit, lock_ids: toggled(unit.lock_ids, lock_id, on), revision }),
  };
}

/** A unit is at the location of the first zone or lock it is given; decisions hold every later one to it. */
function unitOf(state: SiteState, unit_id: string, location_id: string | undefined): UnitSiteState {
  const known = state.units.get(unit_id);
  if (known !== undefined) return known;
  if (location_id === undefined) throw new Error('An event names a zone or lock that was never added.');
  return { unit_id, location_id, lock_ids: [], zone_ids: [], revision: -1 };
}

function toggled(ids: readonly string[], id: string, included: boolean): readonly string[] {
  const others = ids.filter((other) => other !== id);
  return included ? [...others, id] : others;
}

function changed<Value extends object>(
  map: IdMap<Value>,
  id: string,
  difference: Partial<Value>,
): IdMap<Value> {
  const before = map.get(id);
  if (before === undefined) throw new Error('An event changes what was never added.');
  return map.set(id, { ...before, ...difference });
}
