import type { CollectionDeclaration } from '../documents/document-store.js';
import type {
  EntryPointState,
  LocationDetails,
  LockState,
  UnitSurroundings,
  ZoneState,
} from './core/location.state.js';

/**
 * The views of locations. `revision` is the revision of the location's stream at which the document last changed: a
 * write of it that is repeated or late changes nothing.
 */
interface OfLocation {
  readonly _id: string;
  readonly revision: number;
  readonly company_id: string;
}

/** A location with its policy, zones and entry points. `_id` is the location's id. */
export interface LocationDocument extends OfLocation, LocationDetails {
  readonly revision: number;
  readonly company_id: string;
  /** In the order they were added. */
  readonly zones: readonly ZoneState[];
  readonly entry_points: readonly EntryPointState[];
  /** Identifiers of the zones and entry points: one of them finds the location. */
  readonly part_ids: readonly string[];
  /** Entry points are found by the beginning of any of these: each name from any of its words on, normalised. */
  readonly entry_point_names: readonly string[];
}

/** A zone or an entry point, out of its location's document, with the company that owns it. */
export type Zone = ZoneState & { readonly company_id: string };
export type EntryPoint = EntryPointState & { readonly company_id: string };

/** `_id` is the lock's id; `unit_id` is that of the unit whose door it is on, null while it is on none. */
export type LockDocument = OfLocation & LockState;

/** A lock as the unit's door has it. */
export type MountedLock = Pick<LockState, 'lock_id' | 'name' | 'serial'>;

/**
 * The zones and locks of a unit; absent before the unit got its first. `_id` is the unit's id. The unit's name is in its own
 * document.
 */
export interface SurroundingsDocument extends OfLocation, UnitSurroundings {
  readonly revision: number;
  readonly location_id: string;
  /** The locks that are on the door now, in the order they were added. */
  readonly locks: readonly MountedLock[];
}

/**
 * The revision up to which all other documents show a location's stream, the decisions by its policy included. Written after
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
    by_company_and_serial: { fields: ['company_id', 'serial'], sparse: true },
  },
};

export const SURROUNDINGS: CollectionDeclaration<SurroundingsDocument> = {
  name: 'surroundings',
  indexes: {},
};

export const LOCATION_HEADS: CollectionDeclaration<LocationHeadDocument> = {
  name: 'location_heads',
  indexes: {},
};

/** Every collection of views of this feature, for whoever drops or rebuilds them. */
export const LOCATION_VIEWS = [LOCATIONS, LOCKS, SURROUNDINGS, LOCATION_HEADS] as const;
