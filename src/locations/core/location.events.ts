/**
 * Storage format: add, never change. The `type` strings and the fields below are what stands in the log for ever; a
 * change of meaning is a new type, or a higher `schema` with an upcast. Amounts are integer cents. Nobody is named but
 * by id.
 */
import type { EventType } from '../../log/codec.js';
import type { LocationPolicy } from './location-policy.js';

export type EntryPointKind = 'gate' | 'door' | 'elevator';

/** Follows the `LocationAdded` by which its company gave it the code. */
export interface LocationOpened {
  readonly type: 'LocationOpened';
  readonly data: {
    readonly location_id: string;
    readonly company_id: string;
    readonly pms_location_code: string;
    readonly name: string;
    readonly policy: LocationPolicy;
  };
}

export interface LocationRenamed {
  readonly type: 'LocationRenamed';
  readonly data: { readonly name: string };
}

/** The whole policy that holds from now on, the time zone included. */
export interface LocationPolicyChanged {
  readonly type: 'LocationPolicyChanged';
  readonly data: { readonly policy: LocationPolicy };
}

export interface ZoneAdded {
  readonly type: 'ZoneAdded';
  readonly data: { readonly zone_id: string; readonly name: string };
}

export interface UnitZoned {
  readonly type: 'UnitZoned';
  /** `at`: when, in milliseconds, here and below. What is reported of a gate is judged by the zones of its instant. */
  readonly data: { readonly zone_id: string; readonly unit_id: string; readonly at: number };
}

export interface UnitUnzoned {
  readonly type: 'UnitUnzoned';
  readonly data: { readonly zone_id: string; readonly unit_id: string; readonly at: number };
}

export interface EntryPointAdded {
  readonly type: 'EntryPointAdded';
  readonly data: {
    readonly entry_point_id: string;
    readonly name: string;
    readonly kind: EntryPointKind;
    readonly zone_ids: readonly string[];
    readonly in_service: boolean;
    readonly at: number;
  };
}

/** Only what changed, at its new value, and when. */
export interface EntryPointChanged {
  readonly type: 'EntryPointChanged';
  readonly data: {
    readonly entry_point_id: string;
    readonly name?: string;
    readonly zone_ids?: readonly string[];
    readonly in_service?: boolean;
    readonly at: number;
  };
}

export interface LockAdded {
  readonly type: 'LockAdded';
  readonly data: { readonly lock_id: string; readonly name: string; readonly serial: string | null };
}

export interface LockAttached {
  readonly type: 'LockAttached';
  /** `at`: when, in milliseconds. What is reported of a lock belongs to the unit that it was on then. */
  readonly data: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
}

export interface LockDetached {
  readonly type: 'LockDetached';
  readonly data: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
}

/** Somebody got the secret by which the lock checks keys. */
export interface LockProvisioned {
  readonly type: 'LockProvisioned';
  readonly data: { readonly lock_id: string };
}

/** The same of an entry point's reader. */
export interface EntryPointProvisioned {
  readonly type: 'EntryPointProvisioned';
  readonly data: { readonly entry_point_id: string };
}

export type LocationEvent =
  | LocationOpened
  | LocationRenamed
  | LocationPolicyChanged
  | ZoneAdded
  | UnitZoned
  | UnitUnzoned
  | EntryPointAdded
  | EntryPointChanged
  | LockAdded
  | LockAttached
  | LockDetached
  | LockProvisioned
  | EntryPointProvisioned;

export const LOCATION_CATEGORY = 'location';

/** Every type with the schema it is written with. */
export const LOCATION_EVENT_TYPES: Readonly<Record<LocationEvent['type'], EventType>> = {
  LocationOpened: { schema: 1 },
  LocationRenamed: { schema: 1 },
  LocationPolicyChanged: { schema: 1 },
  ZoneAdded: { schema: 1 },
  UnitZoned: { schema: 1 },
  UnitUnzoned: { schema: 1 },
  EntryPointAdded: { schema: 1 },
  EntryPointChanged: { schema: 1 },
  LockAdded: { schema: 1 },
  LockAttached: { schema: 1 },
  LockDetached: { schema: 1 },
  LockProvisioned: { schema: 1 },
  EntryPointProvisioned: { schema: 1 },
};

/** The one stream in which a location stands, with its zones, entry points and locks. */
export function locationStream(location_id: string): string {
  return `${LOCATION_CATEGORY}-${location_id}`;
}
