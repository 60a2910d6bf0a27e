/**
 * Storage format: add, never change. The log contains the `type` strings and the fields below for ever. A change of
 * meaning needs a new type, or a higher `schema` with an upcast. Amounts are integer cents, dates are calendar dates,
 * instants are milliseconds since the epoch. Persons appear only by id.
 */
import type { EventType } from '#eventsourcing/log/codec.js';
import type { EventOf } from '#eventsourcing/log/domain-event.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { ChangeableFacts } from './fact-catalogue.js';
import type { AccessOverride } from './override-catalogue.js';
import type { ShareOffer } from './offers.js';
import type { Share } from './shares.js';
import type { SourceType } from './unit.facts.js';

/** Streams are named `unit-…`. */
export const UNIT_CATEGORY = 'unit';

/** Why a share, an override or round-the-clock access ended: on request, or with the tenancy. */
export type EndCause = 'requested' | 'move_out' | 'tenant_replaced';

/** `expired`: the share or the offer had ended by itself before. The event only clears it away. */
export type ShareEndCause = EndCause | 'expired';

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
   * A new tenancy, or new values of the present tenancy (then with the same `tenancy_id`).
   */
  readonly TenantMovedIn: {
    readonly tenancy_id: string;
    readonly tenant_id: string;
    readonly pms_tenant_id: string;
    readonly ledger_id: string | null;
    readonly move_in_date: CalendarDate;
    /** The tenant before, if the unit was not vacant; null if it was vacant or the tenant is the same. */
    readonly replaced_tenant_id: string | null;
  };
  /** Vacates the unit and resets its facts (specification §3.2, and `ledger_id`). `pms_status_raw` stays. */
  readonly TenantMovedOut: { readonly tenancy_id: string | null; readonly tenant_id: string | null };
  /** Follows `TenantMovedIn`: the tenancy was another unit's, and goes on in this one (decisions §6). */
  readonly TenantTransferredIn: {
    readonly from_unit_id: string;
    readonly from_tenancy_id: string;
    /** The revision of the other unit whose values went along. */
    readonly from_revision: number;
  };
  /** Follows `TenantMovedOut`: the tenancy goes on in another unit. */
  readonly TenantTransferredOut: { readonly to_unit_id: string };
  /** Only the facts that changed, at their new values. */
  readonly UnitFactsChanged: Partial<ChangeableFacts>;
  readonly AccessOverridden: AccessOverride;
  readonly AccessOverrideCleared: { readonly cause: EndCause };
  /** A new share, or another end of one. Schema 1 had no `until`: it was null. */
  readonly UnitShared: Pick<Share, 'tenant_id' | 'until'>;
  /** The tenant of the unit has invited an account to share it. Nothing opens yet. */
  readonly UnitShareOffered: Pick<ShareOffer, 'share_id' | 'tenant_id' | 'until' | 'expires_at'>;
  /** Somebody has entered a wrong code for an offer. */
  readonly UnitShareCodeRefused: Pick<ShareOffer, 'share_id' | 'tenant_id'>;
  /** The code was right, and the share begins. After a transfer: it goes on in this unit. */
  readonly UnitShareAccepted: Pick<ShareOffer, 'share_id' | 'tenant_id'> & {
    /** Null if staff have taken its end away. */
    readonly until: number | null;
  };
  /** The offer was withdrawn, declined or replaced, or it is only cleared away. The actor tells who did. */
  readonly UnitShareOfferEnded: Pick<ShareOffer, 'share_id' | 'tenant_id'> & {
    readonly cause: ShareEndCause;
  };
  readonly UnitShareEnded: { readonly tenant_id: string; readonly cause: ShareEndCause };
  /** The unit's people pass gates at any hour. */
  readonly RoundTheClockGranted: Record<string, never>;
  readonly RoundTheClockEnded: { readonly cause: EndCause };
  /** An operator removed a vacant unit, made by mistake, from all lists. */
  readonly UnitRetired: Record<string, never>;
  /** An operator put the unit back into lists, or a source wrote it again. */
  readonly UnitRevived: Record<string, never>;
}

export type UnitEvent = EventOf<UnitEvents>;
export type UnitRegistered = EventOf<UnitEvents, 'UnitRegistered'>;
export type TenantMovedIn = EventOf<UnitEvents, 'TenantMovedIn'>;

export const UNIT_EVENT_TYPES: Readonly<Record<UnitEvent['type'], EventType>> = {
  UnitRegistered: { schema: 1 },
  UnitRenamed: { schema: 1 },
  TenantMovedIn: { schema: 1 },
  TenantMovedOut: { schema: 1 },
  TenantTransferredIn: { schema: 1 },
  TenantTransferredOut: { schema: 1 },
  UnitFactsChanged: { schema: 1 },
  AccessOverridden: { schema: 1 },
  AccessOverrideCleared: { schema: 1 },
  UnitShared: { schema: 2, upcasts: { 1: (data) => ({ ...data, until: null }) } },
  UnitShareOffered: { schema: 1 },
  UnitShareCodeRefused: { schema: 1 },
  UnitShareAccepted: { schema: 1 },
  UnitShareOfferEnded: { schema: 1 },
  UnitShareEnded: { schema: 1 },
  RoundTheClockGranted: { schema: 1 },
  RoundTheClockEnded: { schema: 1 },
  UnitRetired: { schema: 1 },
  UnitRevived: { schema: 1 },
};
