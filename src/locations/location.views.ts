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
  type UnitZonesAndLocksDocument,
  UNIT_ZONES_AND_LOCKS,
} from './location.documents.js';

/** A document made from the state; undefined if the state has no such part. */
interface ViewDocument {
  readonly collection: string;
  readonly document: LocationDocument | LockDocument | UnitZonesAndLocksDocument | undefined;
}

/**
 * Writes the documents that events change. Each document is made from the state, which may be newer than the events. A
 * document carries the revision that last changed it, so a repeated or late write changes nothing.
 */
export function viewWrites(events: readonly LocationEvent[], state: LocationState): DocumentWrite[] {
  const writes = new Map<string, DocumentWrite>();
  for (const { collection, document } of events.flatMap((event) => documentsOf(event, state))) {
    if (document === undefined) continue;
    writes.set(`${collection}/${document._id}`, { kind: 'put_if_newer', collection, document });
  }
  return [...writes.values()];
}

function documentsOf(event: LocationEvent, state: LocationState): ViewDocument | readonly ViewDocument[] {
  // The table pairs each type with its own data, which the compiler cannot see through the union.
  const makeDocuments = DOCUMENTS_OF_EVENT[event.type] as (
    state: LocationState,
    data: object,
  ) => ViewDocument | readonly ViewDocument[];
  return makeDocuments(state, event.data);
}

const locationDocument = (state: LocationState): ViewDocument => {
  const zones = inOrder(state.zones, ({ zone_id }) => zone_id);
  const entry_points = inOrder(state.entry_points, ({ entry_point_id }) => entry_point_id);
  const revision = Math.max(...[state.details, ...zones, ...entry_points].map((part) => part.revision));
  const part_ids = [
    ...zones.map(({ zone_id }) => zone_id),
    ...entry_points.map(({ entry_point_id }) => entry_point_id),
  ];
  const { location_id: _id } = state.details;
  const names = [state.details, ...entry_points].flatMap(({ name }) => searchNames(name));
  const entry_point_names = [...new Set(names)];
  const document = { _id, ...state.details, zones, entry_points, part_ids, entry_point_names, revision };
  return { collection: LOCATIONS.name, document };
};
const zonesAndLocksDocument = (
  { units, locks, details }: LocationState,
  { unit_id }: { unit_id: string },
): ViewDocument => {
  const unit = units.get(unit_id);
  if (unit === undefined) return { collection: UNIT_ZONES_AND_LOCKS.name, document: undefined };
  const mounted = unit.lock_ids
    .map((lock_id) => locks.get(lock_id)!)
    .filter((one) => one.unit_id === unit_id)
    .map(({ lock_id, name, serial }): MountedLock => ({ lock_id, name, serial }));
  const { company_id, location_id } = details;
  const document = {
    _id: unit_id,
    company_id,
    location_id,
    ...unit,
    locks: sorted(mounted, ({ lock_id }) => lock_id),
  };
  return { collection: UNIT_ZONES_AND_LOCKS.name, document };
};
const lockDocument = ({ locks, details }: LocationState, { lock_id }: { lock_id: string }): ViewDocument => {
  const lock = locks.get(lock_id);
  const document = lock && { _id: lock_id, company_id: details.company_id, ...lock };
  return { collection: LOCKS.name, document };
};

function inOrder<Part>(parts: IdMap<Part>, idOf: (part: Part) => string): Part[] {
  return sorted([...parts.values()], idOf);
}

/** ULIDs sort by creation. */
function sorted<Part>(parts: readonly Part[], idOf: (part: Part) => string): Part[] {
  return [...parts].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** The documents that each event changes. */
const DOCUMENTS_OF_EVENT: {
  readonly [Type in LocationEvent['type']]: (
    state: LocationState,
    data: LocationEvents[Type],
  ) => ViewDocument | readonly ViewDocument[];
} = {
  LocationOpened: locationDocument,
  LocationRenamed: locationDocument,
  LocationPolicyChanged: locationDocument,
  ZoneAdded: locationDocument,
  UnitZoned: zonesAndLocksDocument,
  UnitUnzoned: zonesAndLocksDocument,
  EntryPointAdded: locationDocument,
  EntryPointChanged: locationDocument,
  LockAdded: lockDocument,
  LockAttached: (state, data) => [lockDocument(state, data), zonesAndLocksDocument(state, data)],
  LockDetached: (state, data) => [lockDocument(state, data), zonesAndLocksDocument(state, data)],
  LockProvisioned: () => [],
  EntryPointProvisioned: () => [],
};
