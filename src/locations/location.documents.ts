import type { CollectionDeclaration } from '../documents/document-store.js';
import type {
  EntryPointState,
  LocatedUnitState,
  LocationDetails,
  LockState,
  ZoneState,
} from './core/location.state.js';

/**
 * The views of locations. `revision` is the location's revision at which the thing itself last changed: the guard that
 * makes a repeated or late write of it a no-op.
 */
interface OfLocation {
  readonly _id: string;
  readonly revision: number;
  readonly company_id: string;
}

/** `_id` is the location's id. */
export type LocationDocument = OfLocation & LocationDetails;

/** `_id` is the zone's id. Which units it holds stands in the units' own documents. */
export type ZoneDocument = OfLocation & ZoneState;

/** `_id` is the entry point's id. */
export type EntryPointDocument = OfLocation & EntryPointState;

/** `_id` is the lock's id; `unit_id` is that of the unit whose door it is on, null while it is on none. */
export type LockDocument = OfLocation & LockState;

/** What a location knows of a unit; there is none before the unit got its first zone or lock. `_id` is the unit's id. */
export type LocatedUnitDocument = OfLocation & LocatedUnitState;

/**
 * How far a location's stream is shown: all other documents, and whatever a policy decides, hold its events up to
 * `revision`. Written after them. `_id` is the location's id.
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
  },
};

export const ZONES: CollectionDeclaration<ZoneDocument> = {
  name: 'zones',
  indexes: { by_location: { fields: ['location_id'] } },
};

export const ENTRY_POINTS: CollectionDeclaration<EntryPointDocument> = {
  name: 'entry_points',
  indexes: { by_location: { fields: ['location_id'] } },
};

export const LOCKS: CollectionDeclaration<LockDocument> = {
  name: 'locks',
  indexes: {
    by_location: { fields: ['location_id'] },
    by_unit: { fields: ['unit_id'] },
    by_place: { fields: ['location_id', 'unit_id'] },
    by_name_and_unit: { fields: ['location_id', 'name', 'unit_id'] },
    by_serial_and_unit: { fields: ['location_id', 'serial', 'unit_id'] },
  },
};

export const LOCATED_UNITS: CollectionDeclaration<LocatedUnitDocument> = {
  name: 'located_units',
  indexes: {},
};

export const LOCATION_HEADS: CollectionDeclaration<LocationHeadDocument> = {
  name: 'location_heads',
  indexes: {},
};

/** Every view collection of this feature, for whoever drops or rebuilds views. */
export const LOCATION_VIEWS = [LOCATIONS, ZONES, ENTRY_POINTS, LOCKS, LOCATED_UNITS, LOCATION_HEADS] as const;
