import type { CollectionDeclaration } from '#eventsourcing/documents/document-store.js';
import type {
  EntryPointState,
  LocationDetails,
  LockState,
  Removed,
  UnitZonesAndLocks,
  ZoneState,
} from './core/location.state.js';

interface LocationView {
  readonly _id: string;
  /** The revision of the location's stream that last changed the document. A repeated or late write changes nothing. */
  readonly revision: number;
  readonly company_id: string;
}

/** A location with its policy, zones and entry points. `_id` is the location's id. */
export interface LocationDocument extends LocationView, LocationDetails {
  readonly revision: number;
  readonly company_id: string;
  /** In the order they were added. */
  readonly zones: readonly ZoneState[];
  readonly entry_points: readonly EntryPointState[];
  /** The ids of zones and entry points, for finding their location. */
  readonly part_ids: readonly string[];
  /** The search forms of the names of the location and its entry points. */
  readonly entry_point_names: readonly string[];
}

/** `removed_at`: absent while the location has it. */
export type Zone = ZoneState &
  Partial<Pick<Removed<ZoneState>, 'removed_at'>> & { readonly company_id: string };
/** As {@link Zone}. */
export type EntryPoint = EntryPointState &
  Partial<Pick<Removed<EntryPointState>, 'removed_at'>> & { readonly company_id: string };

/** `_id` is the lock's id. `unit_id` is null while the lock is on no unit. A removed lock keeps its document. */
export type LockDocument = LocationView &
  LockState &
  Partial<Pick<Removed<LockState>, 'removed_at'>> & {
    /** The search forms of the name, and the serial number. */
    readonly search_names: readonly string[];
  };

export type MountedLock = Pick<LockState, 'lock_id' | 'name' | 'serial' | 'key_format'>;

/** Absent for a unit that never had a zone or a lock. `_id` is the unit's id. */
export interface UnitZonesAndLocksDocument extends LocationView, UnitZonesAndLocks {
  readonly revision: number;
  readonly location_id: string;
  /** The locks that are on the unit now, in the order they were added. */
  readonly locks: readonly MountedLock[];
}

/**
 * A zone or an entry point that was removed. It is not in its location's document, so that removed ones cost nothing there.
 * `_id` is its id.
 */
export type RemovedEquipmentDocument = LocationView & { readonly location_id: string } & (
    | { readonly kind: 'zone'; readonly zone: Removed<ZoneState> }
    | { readonly kind: 'entry_point'; readonly entry_point: Removed<EntryPointState> }
  );

/**
 * The revision of a location's stream that all other documents show, the decisions of its units included. Written after
 * them. `_id` is the location's id.
 */
export interface LocationHeadDocument {
  readonly _id: string;
  readonly revision: number;
}

export const LOCATIONS: CollectionDeclaration<LocationDocument> = {
  name: 'locations',
  indexes: {
    by_code: { fields: ['company_id', 'pms_location_code'] },
    by_company: { fields: ['company_id'] },
    by_part: { fields: ['part_ids'] },
    by_entry_point_name: { fields: ['company_id', 'entry_point_names'], list: 'entry_point_names' },
  },
};

export const LOCKS: CollectionDeclaration<LockDocument> = {
  name: 'locks',
  indexes: {
    by_location: { fields: ['location_id'] },
    by_place: { fields: ['location_id', 'unit_id'] },
    by_name_and_unit: { fields: ['location_id', 'name', 'unit_id'] },
    by_serial_and_unit: { fields: ['location_id', 'serial', 'unit_id'] },
    by_search_name: { fields: ['company_id', 'search_names'], list: 'search_names' },
  },
};

export const UNIT_ZONES_AND_LOCKS: CollectionDeclaration<UnitZonesAndLocksDocument> = {
  name: 'surroundings',
  indexes: { by_zone: { fields: ['zone_ids'] } },
};

export const REMOVED_EQUIPMENT: CollectionDeclaration<RemovedEquipmentDocument> = {
  name: 'removed_equipment',
  indexes: {},
};

export const LOCATION_HEADS: CollectionDeclaration<LocationHeadDocument> = {
  name: 'location_heads',
  indexes: {},
};

export const LOCATION_VIEWS = [
  LOCATIONS,
  LOCKS,
  UNIT_ZONES_AND_LOCKS,
  REMOVED_EQUIPMENT,
  LOCATION_HEADS,
] as const;
