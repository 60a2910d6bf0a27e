import { searchForms, searchName } from '#kernel/core/search.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import {
  type LocationDocument,
  LOCATIONS,
  type LockDocument,
  LOCKS,
  type MountedLock,
  REMOVED_EQUIPMENT,
  type RemovedEquipmentDocument,
  type UnitZonesAndLocksDocument,
  UNIT_ZONES_AND_LOCKS,
} from './location.documents.js';

/** A kind of documents that are made from the state. */
interface View {
  readonly collection: string;
  /** The id of the document that an event changes. */
  idOf(state: LocationState, data: object): string;
  /** Undefined if the state has no such part. */
  documentOf(
    state: LocationState,
    id: string,
  ): LocationDocument | LockDocument | UnitZonesAndLocksDocument | RemovedEquipmentDocument | undefined;
}

/**
 * Writes the documents that events change. Each document is made from the state, which may be newer than the events. It is
 * made once, however many events change it. A document carries the revision that last changed it, so a repeated or late
 * write changes nothing.
 */
export function viewWrites(events: readonly LocationEvent[], state: LocationState): DocumentWrite[] {
  const changed = new Map<string, { readonly view: View; readonly id: string }>();
  for (const { type, data } of events) {
    for (const view of VIEWS_OF_EVENT[type]) {
      const id = view.idOf(state, data);
      changed.set(`${view.collection}/${id}`, { view, id });
    }
  }
  return [...changed.values()].flatMap(({ view, id }): DocumentWrite[] => {
    const document = view.documentOf(state, id);
    return document === undefined ? [] : [{ kind: 'put_if_newer', collection: view.collection, document }];
  });
}

const LOCATION_VIEW: View = {
  collection: LOCATIONS.name,
  idOf: ({ details }) => details.location_id,
  documentOf: (state) => {
    const zones = inOrder(state.zones, ({ zone_id }) => zone_id);
    const entry_points = inOrder(state.entry_points, ({ entry_point_id }) => entry_point_id);
    const revision = Math.max(...[state.details, ...zones, ...entry_points].map((part) => part.revision));
    const part_ids = [
      ...zones.map(({ zone_id }) => zone_id),
      ...entry_points.map(({ entry_point_id }) => entry_point_id),
    ];
    const { location_id: _id } = state.details;
    const names = [state.details, ...entry_points].flatMap(({ name }) => searchForms(name));
    const entry_point_names = [...new Set(names)];
    return { _id, ...state.details, zones, entry_points, part_ids, entry_point_names, revision };
  },
};

const UNIT_VIEW: View = {
  collection: UNIT_ZONES_AND_LOCKS.name,
  idOf: ({ locks }, data) => {
    const { unit_id, lock_id = '' } = data as { readonly unit_id?: string; readonly lock_id?: string };
    return unit_id ?? locks.get(lock_id)?.unit_id ?? '';
  },
  documentOf: ({ units, locks, details }, unit_id) => {
    const unit = units.get(unit_id);
    if (unit === undefined) return undefined;
    const mounted = unit.lock_ids
      .flatMap((lock_id) => locks.get(lock_id) ?? [])
      .filter((one) => one.unit_id === unit_id)
      .map(({ lock_id, name, serial, key_format }): MountedLock => ({ lock_id, name, serial, key_format }));
    const { company_id, location_id } = details;
    const sortedLocks = sorted(mounted, ({ lock_id }) => lock_id);
    return { _id: unit_id, company_id, location_id, ...unit, locks: sortedLocks };
  },
};

const LOCK_VIEW: View = {
  collection: LOCKS.name,
  idOf: (_, data) => (data as { readonly lock_id: string }).lock_id,
  documentOf: ({ locks, details, removed }, lock_id) => {
    const gone = removed.locks.get(lock_id);
    // No search finds it, but reports and histories still name it.
    if (gone !== undefined)
      return { _id: lock_id, company_id: details.company_id, ...gone, search_names: [] };
    const lock = locks.get(lock_id);
    if (lock === undefined) return undefined;
    const names = [...searchForms(lock.name), searchName(lock.serial ?? '')];
    const search_names = [...new Set(names)].filter((one) => one !== '');
    return { _id: lock_id, company_id: details.company_id, ...lock, search_names };
  },
};

const REMOVED_VIEW: View = {
  collection: REMOVED_EQUIPMENT.name,
  idOf: (_, data) => {
    const { zone_id, entry_point_id } = data as {
      readonly zone_id?: string;
      readonly entry_point_id?: string;
    };
    return zone_id ?? entry_point_id!;
  },
  documentOf: ({ details: { company_id }, removed }, id) => {
    const zone = removed.zones.get(id);
    if (zone !== undefined) return { _id: id, company_id, kind: 'zone', ...base(zone), zone };
    const entry_point = removed.entry_points.get(id);
    if (entry_point === undefined) return undefined;
    return { _id: id, company_id, kind: 'entry_point', ...base(entry_point), entry_point };
  },
};

function base({ location_id, revision }: { readonly location_id: string; readonly revision: number }) {
  return { location_id, revision };
}

function inOrder<Part>(parts: ReadonlyMap<string, Part>, idOf: (part: Part) => string): Part[] {
  return sorted([...parts.values()], idOf);
}

/** ULIDs sort by creation. */
function sorted<Part>(parts: readonly Part[], idOf: (part: Part) => string): Part[] {
  return [...parts].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

/** The documents that each event changes. */
const VIEWS_OF_EVENT: Readonly<Record<LocationEvent['type'], readonly View[]>> = {
  LocationOpened: [LOCATION_VIEW],
  LocationRenamed: [LOCATION_VIEW],
  LocationPolicyChanged: [LOCATION_VIEW],
  LocationHoursChanged: [LOCATION_VIEW],
  LocationContactChanged: [LOCATION_VIEW],
  LocationPaymentUrlChanged: [LOCATION_VIEW],
  LocationCurrencyChanged: [LOCATION_VIEW],
  LocationNoticesChanged: [LOCATION_VIEW],
  LocationTenantSharingChanged: [LOCATION_VIEW],
  ZoneAdded: [LOCATION_VIEW],
  ZoneRenamed: [LOCATION_VIEW],
  ZoneRemoved: [LOCATION_VIEW, REMOVED_VIEW],
  UnitZoned: [UNIT_VIEW],
  UnitUnzoned: [UNIT_VIEW],
  EntryPointAdded: [LOCATION_VIEW],
  EntryPointChanged: [LOCATION_VIEW],
  EntryPointHoursChanged: [LOCATION_VIEW],
  EntryPointKeyFormatChanged: [LOCATION_VIEW],
  EntryPointRemoved: [LOCATION_VIEW, REMOVED_VIEW],
  LockAdded: [LOCK_VIEW],
  LockAttached: [LOCK_VIEW, UNIT_VIEW],
  LockDetached: [LOCK_VIEW, UNIT_VIEW],
  LockKeyFormatChanged: [LOCK_VIEW, UNIT_VIEW],
  LockRenamed: [LOCK_VIEW, UNIT_VIEW],
  LockRemoved: [LOCK_VIEW],
  LockProvisioned: [],
  EntryPointProvisioned: [],
};
