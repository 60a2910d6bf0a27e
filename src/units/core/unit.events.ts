/**
 * Storage format: add, never change. The `type` strings and the fields below are what stands in the log for ever; a
 * change of meaning is a new type, or a higher `schema` with an upcast. Amounts are integer cents, dates are calendar
 * dates, instants are milliseconds since the epoch. Nobody is named but by id.
 */
import type { EventType } from '../../log/codec.js';
import type { EventOf } from '../../log/domain-event.js';
import type { CalendarDate, ChangeableFacts } from './fact-catalogue.js';
import type { AccessOverride } from './override-catalogue.js';
import type { SourceType } from './unit.facts.js';

/** Streams are named `unit-…`. */
export const UNIT_CATEGORY = 'unit';

/** Why shared access or an override ended without anybody asking for it by name. */
export type EndCause = 'requested' | 'move_out' | 'tenant_replaced';

/** The data of each event, by its type. */
export interface UnitEvents {
  readonly UnitRegistered: {
    readonly company_id: string;
    readonly location_id: string;
    readonly unit_id: string;
    readonly crm_unit_id: string;
    readonly unit_name: string;
    readonly source_type: SourceType;
  };
  readonly UnitRenamed: { readonly unit_name: string };
  /**
   * Occupies the unit, or changes the tenancy that stands (the same `tenancy_id` then, and the values that now hold).
   */
  readonly TenantMovedIn: {
    readonly tenancy_id: string;
    readonly tenant_id: string;
    readonly pms_tenant_id: string;
    readonly ledger_id: string | null;
    readonly move_in_date: CalendarDate;
    /** Whose place this tenant took without a move-out; null where the unit was vacant or the tenant is the same. */
    readonly replaced_tenant_id: string | null;
  };
  /** Vacates the unit and resets its facts (specification §3.2, and `ledger_id`). `pms_status_raw` stays. */
  readonly TenantMovedOut: { readonly tenancy_id: string | null; readonly tenant_id: string | null };
  /** Only the facts that changed, at their new values. */
  readonly UnitFactsChanged: Partial<ChangeableFacts>;
  readonly AccessOverridden: AccessOverride;
  readonly AccessOverrideCleared: { readonly cause: EndCause };
  readonly UnitShared: { readonly tenant_id: string };
  readonly UnitShareEnded: { readonly tenant_id: string; readonly cause: EndCause };
  /** An operator has taken a unit that was made by mistake out of every list; it is vacant. */
  readonly UnitRetired: Record<string, never>;
  /** The unit is back: an operator has said so, or a source has written it again. */
  readonly UnitRevived: Record<string, never>;
}

export type UnitEvent = EventOf<UnitEvents>;
export type UnitRegistered = EventOf<UnitEvents, 'UnitRegistered'>;
export type TenantMovedIn = EventOf<UnitEvents, 'TenantMovedIn'>;

/** Every type with the schema it is written with. */
export const UNIT_EVENT_TYPES: Readonly<Record<UnitEvent['type'], EventType>> = {
  UnitRegistered: { schema: 1 },
  UnitRenamed: { schema: 1 },
  TenantMovedIn: { schema: 1 },
  TenantMovedOut: { schema: 1 },
  UnitFactsChanged: { schema: 1 },
  AccessOverridden: { schema: 1 },
  AccessOverrideCleared: { schema: 1 },
  UnitShared: { schema: 1 },
  UnitShareEnded: { schema: 1 },
  UnitRetired: { schema: 1 },
  UnitRevived: { schema: 1 },
};
