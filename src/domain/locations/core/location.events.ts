/**
 * Storage format: add, never change. The log contains the `type` strings and the fields below for ever. A change of
 * meaning needs a new type, or a higher `schema` with an upcast. Amounts are integer cents. Persons appear only by id.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { LocationContact } from './contact.js';
import type { AccessHours } from './hours/access-hours.js';
import type { LocationPolicy } from './location-policy.js';
import type { LocationNotices } from './notices.js';

export type EntryPointKind = 'gate' | 'door' | 'elevator';

/** Whether an entry point keeps the hours of its location. */
export type EntryPointHours = 'location' | 'always';

/** The format of keys that a lock or reader knows (docs/locks.md). */
export type KeyFormat = 1 | 3;

/** The data of each event, by its type. */
export interface LocationEvents {
  /** Follows `LocationAdded`, by which its company reserved the code. */
  readonly LocationOpened: {
    readonly location_id: string;
    readonly company_id: string;
    readonly pms_location_code: string;
    readonly name: string;
    readonly policy: LocationPolicy;
  };
  readonly LocationRenamed: { readonly name: string };
  /** The whole new policy, the time zone included. */
  readonly LocationPolicyChanged: { readonly policy: LocationPolicy };
  /** The whole new hours; null: always open. */
  readonly LocationHoursChanged: { readonly access_hours: AccessHours | null };
  /** The whole new contact, without the payment link. */
  readonly LocationContactChanged: Omit<LocationContact, 'payment_url'>;
  /** Apart, because tenants are led there: the new link, null for none. */
  readonly LocationPaymentUrlChanged: { readonly payment_url: string | null };
  /** ISO 4217. Amounts stay as they are. */
  readonly LocationCurrencyChanged: { readonly currency: string };
  /** The whole new settings. `at`: milliseconds. What is switched on tells nothing of earlier states. */
  readonly LocationNoticesChanged: { readonly notices: LocationNotices; readonly at: number };
  /** Whether tenants share their units by themselves. Shares that were accepted stay. */
  readonly LocationTenantSharingChanged: { readonly tenant_sharing: boolean };
  readonly ZoneAdded: { readonly zone_id: string; readonly name: string };
  readonly ZoneRenamed: { readonly zone_id: string; readonly name: string };
  /** Here and below: nothing holds the removed thing. Its history stays, and keys given out open until they end. */
  readonly ZoneRemoved: { readonly zone_id: string; readonly at: number };
  /**
   * `at`, here and below: milliseconds. A report of activity at a gate is checked against the zones of its instant.
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
  /** Contains only the fields that changed. */
  readonly EntryPointChanged: {
    readonly entry_point_id: string;
    readonly name?: string;
    readonly zone_ids?: readonly string[];
    readonly in_service?: boolean;
    readonly at: number;
  };
  readonly EntryPointHoursChanged: { readonly entry_point_id: string; readonly hours: EntryPointHours };
  readonly EntryPointKeyFormatChanged: { readonly entry_point_id: string; readonly key_format: KeyFormat };
  readonly EntryPointRemoved: { readonly entry_point_id: string; readonly at: number };
  readonly LockAdded: { readonly lock_id: string; readonly name: string; readonly serial: string | null };
  /** A report of activity at a lock belongs to the unit that the lock was on at that instant. */
  readonly LockAttached: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
  readonly LockDetached: { readonly lock_id: string; readonly unit_id: string; readonly at: number };
  readonly LockKeyFormatChanged: { readonly lock_id: string; readonly key_format: KeyFormat };
  readonly LockRenamed: { readonly lock_id: string; readonly name: string };
  readonly LockRemoved: { readonly lock_id: string; readonly at: number };
  /** Somebody received the secret by which the lock checks keys. */
  readonly LockProvisioned: { readonly lock_id: string };
  /** As `LockProvisioned`, for an entry point's reader. */
  readonly EntryPointProvisioned: { readonly entry_point_id: string };
}

export type LocationEvent = EventOf<LocationEvents>;
export type LocationOpened = EventOf<LocationEvents, 'LocationOpened'>;
export type LocationRenamed = EventOf<LocationEvents, 'LocationRenamed'>;
export type LocationPolicyChanged = EventOf<LocationEvents, 'LocationPolicyChanged'>;
export type LocationCurrencyChanged = EventOf<LocationEvents, 'LocationCurrencyChanged'>;

export const LOCATION_CATEGORY = 'location';

export const LOCATION_EVENT_TYPES: Readonly<Record<LocationEvent['type'], EventType>> = {
  LocationOpened: { schema: 1 },
  LocationRenamed: { schema: 1 },
  LocationPolicyChanged: { schema: 1 },
  LocationHoursChanged: { schema: 1 },
  LocationContactChanged: { schema: 1 },
  LocationPaymentUrlChanged: { schema: 1 },
  LocationCurrencyChanged: { schema: 1 },
  LocationNoticesChanged: { schema: 1 },
  LocationTenantSharingChanged: { schema: 1 },
  ZoneAdded: { schema: 1 },
  ZoneRenamed: { schema: 1 },
  ZoneRemoved: { schema: 1 },
  UnitZoned: { schema: 1 },
  UnitUnzoned: { schema: 1 },
  EntryPointAdded: { schema: 1 },
  EntryPointChanged: { schema: 1 },
  EntryPointHoursChanged: { schema: 1 },
  EntryPointKeyFormatChanged: { schema: 1 },
  EntryPointRemoved: { schema: 1 },
  LockAdded: { schema: 1 },
  LockAttached: { schema: 1 },
  LockDetached: { schema: 1 },
  LockKeyFormatChanged: { schema: 1 },
  LockRenamed: { schema: 1 },
  LockRemoved: { schema: 1 },
  LockProvisioned: { schema: 1 },
  EntryPointProvisioned: { schema: 1 },
};

/** The stream of a location, with its zones, entry points and locks. */
export function locationStream(location_id: string): string {
  return `${LOCATION_CATEGORY}-${location_id}`;
}
