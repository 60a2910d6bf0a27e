import type { DocumentWrite } from '../documents/document-store.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { ENTRY_POINTS, LOCATED_UNITS, LOCATIONS, LOCKS, ZONES } from './location.documents.js';

/** Something of a location as it stands, its id, and the collection that shows it. */
interface Shown {
  readonly collection: string;
  readonly _id: string;
  readonly thing: { readonly revision: number } | undefined;
}

/**
 * The writes that show what events changed. Each document is made of the state, which may be newer than the events,
 * and carries the revision at which its own thing last changed: applying the writes twice or late changes nothing.
 */
export function viewWrites(events: readonly LocationEvent[], state: LocationState): DocumentWrite[] {
  const { company_id } = state.details;
  const writes = new Map<string, DocumentWrite>();
  for (const { collection, _id, thing } of events.flatMap((event) => shownBy(event, state))) {
    if (thing === undefined) continue;
    const document = { _id, company_id, ...thing };
    writes.set(`${collection}/${_id}`, { kind: 'put_if_newer', collection, document });
  }
  return [...writes.values()];
}

function shownBy(event: LocationEvent, state: LocationState): Shown | readonly Shown[] {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const show = SHOWN[event.type] as (state: LocationState, data: object) => Shown | readonly Shown[];
  return show(state, event.data);
}

const details = ({ details: thing }: LocationState): Shown => ({
  collection: LOCATIONS.name,
  _id: thing.location_id,
  thing,
});
const unit = ({ units }: LocationState, { unit_id: _id }: { unit_id: string }): Shown => ({
  collection: LOCATED_UNITS.name,
  _id,
  thing: units.get(_id),
});
const entryPoint = (
  { entry_points }: LocationState,
  { entry_point_id: _id }: { entry_point_id: string },
) => ({
  collection: ENTRY_POINTS.name,
  _id,
  thing: entry_points.get(_id),
});
const lock = ({ locks }: LocationState, { lock_id: _id }: { lock_id: string }): Shown => ({
  collection: LOCKS.name,
  _id,
  thing: locks.get(_id),
});

/** What each event touches; a type that is missing here does not compile. */
const SHOWN: {
  readonly [Type in LocationEvent['type']]: (
    state: LocationState,
    data: Extract<LocationEvent, { type: Type }>['data'],
  ) => Shown | readonly Shown[];
} = {
  LocationOpened: details,
  LocationRenamed: details,
  LocationPolicyChanged: details,
  ZoneAdded: ({ zones }, { zone_id: _id }) => ({ collection: ZONES.name, _id, thing: zones.get(_id) }),
  UnitZoned: unit,
  UnitUnzoned: unit,
  EntryPointAdded: entryPoint,
  EntryPointChanged: entryPoint,
  LockAdded: lock,
  LockAttached: (state, data) => [lock(state, data), unit(state, data)],
  LockDetached: lock,
  LockProvisioned: () => [],
  EntryPointProvisioned: () => [],
};
