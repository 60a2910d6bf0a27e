import { searchNames } from '../base/core/search-name.js';
import type { DocumentWrite } from '../documents/document-store.js';
import type { LocationEvent, LocationEvents } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import type { IdMap } from './core/id-map.js';
import {
  type LocationDocument,
  LOCATIONS,
  type LockDocument,
  LOCKS,
  type MountedLock,
  type SurroundingsDocument,
  SURROUNDINGS,
} from './location.documents.js';

/** A document as the state has it; undefined where the state has none. */
interface Shown {
  readonly collection: string;
  readonly document: LocationDocument | LockDocument | SurroundingsDocument | undefined;
}

/**
 * The writes that show what events changed. Each document is made of the state, which may be newer than the events. It carries
 * the revision at which it last changed: applying the writes twice or late changes nothing.
 */
export function viewWrites(events: readonly LocationEvent[], state: LocationState): DocumentWrite[] {
  const writes = new Map<string, DocumentWrite>();
  for (const { collection, document } of events.flatMap((event) => shownBy(event, state))) {
    if (document === undefined) continue;
    writes.set(`${collection}/${document._id}`, { kind: 'put_if_newer', collection, document });
  }
  return [...writes.values()];
}

function shownBy(event: LocationEvent, state: LocationState): Shown | readonly Shown[] {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const show = SHOWN[event.type] as (state: LocationState, data: object) => Shown | readonly Shown[];
  return show(state, event.data);
}

const location = (state: LocationState): Shown => {
  const zones = inOrder(state.zones, ({ zone_id }) => zone_id);
  const entry_points = inOrder(state.entry_points, ({ entry_point_id }) => entry_point_id);
  const revision = Math.max(...[state.details, ...zones, ...entry_points].map((part) => part.revision));
  const part_ids = [
    ...zones.map(({ zone_id }) => zone_id),
    ...entry_points.map(({ entry_point_id }) => entry_point_id),
  ];
  const { location_id: _id } = state.details;
  const entry_point_names = [...new Set(entry_points.flatMap(({ name }) => searchNames(name)))];
  const document = { _id, ...state.details, zones, entry_points, part_ids, entry_point_names, revision };
  return { collection: LOCATIONS.name, document };
};
const unit = ({ units, locks, details }: LocationState, { unit_id }: { unit_id: string }): Shown => {
  const known = units.get(unit_id);
  if (known === undefined) return { collection: SURROUNDINGS.name, document: undefined };
  const mounted = known.lock_ids
    .map((lock_id) => locks.get(lock_id)!)
    .filter((one) => one.unit_id === unit_id)
    .map(({ lock_id, name, serial }): MountedLock => ({ lock_id, name, serial }));
  const { company_id, location_id } = details;
  const document = {
    _id: unit_id,
    company_id,
    location_id,
    ...known,
    locks: sorted(mounted, ({ lock_id }) => lock_id),
  };
  return { collection: SURROUNDINGS.name, document };
};
const lock = ({ locks, details }: LocationState, { lock_id }: { lock_id: string }): Shown => {
  const known = locks.get(lock_id);
  const document = known && { _id: lock_id, company_id: details.company_id, ...known };
  return { collection: LOCKS.name, document };
};

function inOrder<Part>(parts: IdMap<Part>, idOf: (part: Part) => string): Part[] {
  return sorted([...parts.values()], idOf);
}

/** ULIDs sort by creation. */
function sorted<Part>(parts: readonly Part[], idOf: (part: Part) => string): Part[] {
  return [...parts].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** The documents that each event touches. A missing type does not compile. */
const SHOWN: {
  readonly [Type in LocationEvent['type']]: (
    state: LocationState,
    data: LocationEvents[Type],
  ) => Shown | readonly Shown[];
} = {
  LocationOpened: location,
  LocationRenamed: location,
  LocationPolicyChanged: location,
  ZoneAdded: location,
  UnitZoned: unit,
  UnitUnzoned: unit,
  EntryPointAdded: location,
  EntryPointChanged: location,
  LockAdded: lock,
  LockAttached: (state, data) => [lock(state, data), unit(state, data)],
  LockDetached: (state, data) => [lock(state, data), unit(state, data)],
  LockProvisioned: () => [],
  EntryPointProvisioned: () => [],
};
