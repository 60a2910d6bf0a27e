import type { AccessChanged } from '#domain/access/index.js';
import type { LocationEvent } from '#domain/locations/index.js';
import type { ActivityReported } from '#domain/locks/index.js';
import type { PassEvent } from '#domain/passes/index.js';
import type { TenantEvent } from '#domain/tenants/index.js';
import { type UnitEvent, WRITABLE_FACTS } from '#domain/units/index.js';

type StoredEvent = AccessChanged | UnitEvent | LocationEvent | PassEvent | TenantEvent | ActivityReported;
/** A secret was handed out. Only operators may know it. */
type NotFed = 'LockProvisioned' | 'EntryPointProvisioned';

const REPORT = [
  ...(['log_id', 'location_id', 'tenant_id', 'event', 'result', 'failure_code'] as const),
  ...(['occurred_at', 'recorded_at', 'battery_percent', 'pass_id'] as const),
] as const;

/** The fields of each event that integrators may read. */
export const FED_FIELDS = {
  AccessChanged: ['from', 'to', 'cause', 'effective_at', 'valid_until', 'unit_id'],
  AccessOverridden: ['override', 'reason', 'expires_at'],
  AccessOverrideCleared: ['cause'],
  EntryPointActivityReported: [...REPORT, 'entry_point_id'],
  EntryPointAdded: ['entry_point_id', 'name', 'kind', 'zone_ids', 'in_service', 'at'],
  EntryPointChanged: ['entry_point_id', 'name', 'zone_ids', 'in_service', 'at'],
  EntryPointHoursChanged: ['entry_point_id', 'hours'],
  EntryPointKeyFormatChanged: ['entry_point_id', 'key_format'],
  EntryPointRemoved: ['entry_point_id', 'at'],
  LocationContactChanged: ['phone', 'email', 'address'],
  LocationCurrencyChanged: ['currency'],
  LocationHoursChanged: ['access_hours'],
  LocationNoticesChanged: ['notices', 'at'],
  LocationOpened: ['location_id', 'pms_location_code', 'name', 'policy'],
  LocationPaymentUrlChanged: ['payment_url'],
  LocationPolicyChanged: ['policy'],
  LocationRenamed: ['name'],
  LocationTenantSharingChanged: ['tenant_sharing'],
  LockActivityReported: [...REPORT, 'lock_id', 'unit_id'],
  LockAdded: ['lock_id', 'name', 'serial'],
  LockAttached: ['lock_id', 'unit_id', 'at'],
  LockDetached: ['lock_id', 'unit_id', 'at'],
  LockKeyFormatChanged: ['lock_id', 'key_format'],
  LockRemoved: ['lock_id', 'at'],
  LockRenamed: ['lock_id', 'name'],
  PassChanged: [
    ...(['pass_id', 'location_id', 'tenant_id', 'entry_point_ids', 'units'] as const),
    ...(['from', 'until', 'hours', 'reason', 'details', 'at'] as const),
  ],
  PassEnded: ['pass_id', 'location_id', 'cause', 'at'],
  PassIssued: [
    ...(['pass_id', 'location_id', 'tenant_id', 'entry_point_ids', 'units'] as const),
    ...(['from', 'until', 'hours', 'reason', 'at'] as const),
  ],
  RoundTheClockEnded: ['cause'],
  RoundTheClockGranted: [],
  TenantCalled: ['location_id'],
  TenantCallTakenBack: ['location_id'],
  TenantDetailsChanged: ['location_id', 'fields'],
  TenantErased: ['location_id'],
  TenantMovedIn: [
    ...(['tenancy_id', 'tenant_id', 'pms_tenant_id', 'ledger_id'] as const),
    ...(['move_in_date', 'replaced_tenant_id'] as const),
  ],
  TenantMovedOut: ['tenancy_id', 'tenant_id'],
  TenantNotified: ['location_id', 'notice_id', 'kind', 'unit_ids', 'outcome'],
  TenantSessionsEnded: ['location_id'],
  TenantTransferredIn: ['from_unit_id'],
  TenantTransferredOut: ['to_unit_id'],
  UnitFactsChanged: WRITABLE_FACTS,
  UnitRegistered: ['location_id', 'unit_id', 'crm_unit_id', 'unit_name', 'source_type'],
  UnitRenamed: ['unit_name'],
  UnitRetired: [],
  UnitRevived: [],
  UnitShareAccepted: ['share_id', 'tenant_id', 'until'],
  UnitShareCodeRefused: ['share_id', 'tenant_id'],
  UnitShareEnded: ['tenant_id', 'cause'],
  UnitShareOfferEnded: ['share_id', 'tenant_id', 'cause'],
  UnitShareOffered: ['share_id', 'tenant_id', 'until', 'expires_at'],
  UnitShared: ['tenant_id', 'until'],
  UnitUnzoned: ['zone_id', 'unit_id', 'at'],
  UnitZoned: ['zone_id', 'unit_id', 'at'],
  ZoneAdded: ['zone_id', 'name'],
  ZoneRemoved: ['zone_id', 'at'],
  ZoneRenamed: ['zone_id', 'name'],
} as const satisfies {
  readonly [Type in Exclude<StoredEvent['type'], NotFed>]: readonly (keyof Extract<
    StoredEvent,
    { readonly type: Type }
  >['data'])[];
};

/** Describes {@link FED_FIELDS} in the API description. */
export function describeFedFields(): string {
  return describeFields(FED_FIELDS);
}

export function describeFields(fieldsOf: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(fieldsOf)
    .map(([type, fields]) => {
      const names =
        type === 'UnitFactsChanged' ? 'the facts that changed' : fields.map((one) => `\`${one}\``).join(', ');
      return `\`${type}\`: ${names === '' ? 'none' : names}.`;
    })
    .join(' ');
}
