/**
 * Storage format: add, never change. The `type` strings and the fields below are what stands in the log for ever; a
 * change of meaning is a new type, or a higher `schema` with an upcast. Amounts are integer cents. Nobody is named but
 * by id.
 */
import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';
import type { LocationPolicy } from './location-policy.js';

export type EntryPointKind = 'gate' | 'door' | 'elevator';

/** The data of each event, by its type. */
export interface LocationEvents {
  /** Follows the `LocationAdded` by which its company gave it the code. */
  readonly LocationOpened: {
    readonly location_id: string;
    readonly company_id: string;
    readonly pms_location_code: string;
    readonly name: string;
    readonly policy: LocationPolicy;
  };
  readonly LocationRenamed: { readonly name: string };
  /** The whole policy that holds from now on, the time zone included. */
  readonly LocationPolicyChanged: { readonly policy: LocationPolicy };
  readonly ZoneAdded: { readonly zone_id: string; readonly name: string };
  /**
   * `at`: when, in milliseconds, here and below. What is reported of a gate is judged by the zones of its instant.
   */
  readonly UnitZoned: { readonly zone_id: string; readonly unit_id: string; readonly at: number };
  readonly UnitUnzoned: { readonly zone_id: string; readonly unit_id: string; readonly at: number };
  readonly EntryPointAdded: {
    readonly entry_point_id: string;
    readonly name: string;
    readonly kind: EntryPointKind;
    readonly zone_ids: readonly string[];
    readonly in_service: boolean;
    readonly at: number;
  };
  /** Only what changed, at its new value, and when. */
  readonly EntryPointChanged: {
    readonly entry_point_id: string;
    readonly name?: string;
    readonly zone_ids?: readonly string[];
    readonly in_service?: boolean;
    readonly at: number;
  };
  readonly LockAdded: { readonly lock_id: string; readonly name: string; readonly serial: string | null };
  /** `at`: when, in milliseconds. What is reported of a lock belongs to the unit that it was on then. */
  readonly LockAttached: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
  readonly LockDetached: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
  /** Somebody got the secret by which the lock checks keys. */
  readonly LockProvisioned: { readonly lock_id: string };
  /** The same of an entry point's reader. */
  readonly EntryPointProvisioned: { readonly entry_point_id: string };
}

export type LocationEvent = EventOf<LocationEvents>;
export type LocationOpened = EventOf<LocationEvents, 'LocationOpened'>;
export type LocationRenamed = EventOf<LocationEvents, 'LocationRenamed'>;
export type LocationPolicyChanged = EventOf<LocationEvents, 'LocationPolicyChanged'>;

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
