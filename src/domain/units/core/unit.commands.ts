import type { CommandOf } from '#eventsourcing/writing/aggregate.js';
import type { Confusable } from './confusable.js';
import type { ChangeableFacts } from './fact-catalogue.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import type { AccessOverride } from './override-catalogue.js';
import type { ShareOffer } from './offers.js';
import type { Share } from './shares.js';
import type { SourceType } from './unit.facts.js';
import type { UnitState } from './unit.state.js';

/** The location where a command would create its unit. */
export type NewUnitLocation =
  /** `given`: the caller named the location. Otherwise it was inferred, and an existing unit may be elsewhere. */
  | { readonly kind: 'known'; readonly location_id: string; readonly given: boolean }
  /** The caller named a location that the company does not have. */
  | { readonly kind: 'unknown' }
  /** The caller named no location, and none can be inferred. */
  | { readonly kind: 'none' }
  /** The company has no location at all: an operator must create one first. */
  | { readonly kind: 'no_locations' };

/** The identity of a unit that does not exist yet. `unit_id` is new and used only then. */
export interface Registration {
  readonly company_id: string;
  readonly crm_unit_id: string;
  readonly unit_id: string;
  /** How the identifier of a new unit looks like another one; undefined: not at all, or the unit exists. */
  readonly confusable?: Confusable | undefined;
  /** The display name; undefined: the same as `crm_unit_id`. */
  readonly unit_name: string | undefined;
  readonly location: NewUnitLocation;
  /** The existing unit's location; undefined if the unit is new or the command names no code. */
  readonly present_location_code: string | undefined;
  /** What happens if the command names another location than the existing unit's. */
  readonly on_other_location: OnOtherLocation;
}

/** `warn`: for a comparison, and for a command that the log already holds: an earlier version accepted it. */
export type OnOtherLocation = 'refuse' | 'warn';

/** What happens if somebody else rents the unit that a tenant takes. */
export type IfOccupied = 'replace' | 'refuse';

/** A tenant who takes the unit. */
export interface Arrival {
  /** The account of `pms_tenant_id` at the unit's location. */
  readonly tenant_id: string;
  readonly pms_tenant_id: string;
  readonly move_in_date: CalendarDate;
  /** undefined: the same tenant keeps the ledger, a new one has none. */
  readonly ledger_id: string | null | undefined;
  /** The id of the tenancy, if a new one begins. */
  readonly tenancy_id: string;
  /** True if an earlier write of the same request gives another person for this tenant. */
  readonly contradicts?: boolean | undefined;
  /** True if the tenant rents as many units as one may, without this one. */
  readonly tenant_is_full?: boolean | undefined;
  /** True if another tenant would get an identifier that only the service gives, to a guest or a holder of passes. */
  readonly tenant_is_reserved?: boolean | undefined;
  /** True if the write would change personal details, and somebody damaged the events of their account. */
  readonly details_refused?: boolean | undefined;
}

/** What a caller says of a unit that may be new. Names the location by the PMS's identifier, or by ours. */
export interface StatedUnit {
  readonly unit_name?: string | undefined;
  readonly pms_location_code?: string | undefined;
  /** Used instead of `pms_location_code` if the caller knows the location. */
  readonly location_id?: string | undefined;
  /** Absent: `refuse`. */
  readonly on_other_location?: OnOtherLocation | undefined;
}

export interface StatedPerson {
  readonly first_name: string;
  readonly last_name: string;
  /** Absent: no change. null: clears the value. */
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** The tenant who takes the unit, with the identifiers of the PMS. */
export interface StatedArrival {
  readonly pms_tenant_id: string;
  readonly move_in_date: string;
  readonly ledger_id?: string | null | undefined;
  readonly person?: StatedPerson | undefined;
}

/** A command that the source of a unit gives. */
interface FromSource {
  readonly source: SourceType;
}

/** The fields of each command, by its type. A unit and a tenant are first stated, and then resolved to our identifiers. */
interface UnitCommandFields<Unit, Tenant> {
  readonly RegisterUnit: FromSource & { readonly registration: Unit };
  /** Creates a unit that does not exist (specification §4.1). */
  readonly MoveTenantIn: FromSource & {
    readonly registration: Unit;
    readonly arrival: Tenant;
    /** Absent: `replace` (specification §3.2). */
    readonly if_occupied?: IfOccupied | undefined;
  };
  /** The facts are reset (specification §3.2). */
  readonly MoveTenantOut: FromSource;
  /** Absent facts do not change (specification §4.1). Amounts are in cents. */
  readonly ChangeFacts: FromSource & { readonly facts: Partial<ChangeableFacts> };
  /** The tenancy of another unit of the location goes on in this one, as `HandTenancyOver` then ends it there. */
  readonly TakeTenancy: FromSource & {
    /** The other unit. undefined: the log holds the events of this command. */
    readonly from: UnitState | undefined;
    /** The id of the tenancy in this unit. */
    readonly tenancy_id: string;
    /** A third unit that has taken the tenancy, by a transfer that was not ended. */
    readonly taken_by: string | undefined;
  };
  /** The tenancy has gone on in another unit, and ends in this one. */
  readonly HandTenancyOver: FromSource & {
    readonly to_unit_id: string;
    readonly taken: { readonly tenancy_id: string; readonly revision: number };
  };
  /** A full state: creates, moves in or out, then sets the facts (specification §4.1, bulk). */
  readonly SyncUnit: FromSource & {
    readonly registration: Unit;
    /** null: the unit is not occupied. */
    readonly arrival: Tenant | null;
    readonly facts: Partial<ChangeableFacts>;
    /** The instant of the state (milliseconds). A write of a later instant wins. undefined: now, and the state always wins. */
    readonly snapshot_at?: number | undefined;
  };
  // The other commands are those of operators, and of tenants who share, on units of any source (decisions §6, §13).
  readonly RenameUnit: { readonly unit_name: string };
  readonly OverrideAccess: { readonly override: AccessOverride };
  readonly ClearOverride: object;
  /** Sets the end of a share that there is. */
  readonly ShareUnit: Pick<Share, 'tenant_id' | 'until'>;
  /** Ends the account's share, and what the tenant offers to it. */
  readonly EndShare: { readonly tenant_id: string };
  /** As `EndShare`. If the account is the unit's tenant, ends all that it offers. */
  readonly EndSharesOf: { readonly tenant_id: string };
  /** Ends an offer, or a share that a tenant gave. */
  readonly EndTenantShare: {
    readonly share_id: string;
    /** The account that asks: the tenant's, or the one that was invited. */
    readonly by: string;
  };
  /** The tenant invites an account to share the unit. */
  readonly OfferShare: Pick<ShareOffer, 'share_id' | 'tenant_id' | 'until'> & {
    /** The account that asks. */
    readonly by: string;
    readonly isSharingOn: boolean;
  };
  /** The account that was invited begins the share. A wrong code is an accepted command: it is counted. */
  readonly AcceptShare: Pick<ShareOffer, 'share_id' | 'tenant_id'> & {
    readonly isCodeRight: boolean;
    readonly isSharingOn: boolean;
  };
  readonly GrantRoundTheClock: object;
  readonly EndRoundTheClock: object;
  readonly RetireUnit: object;
  readonly ReviveUnit: object;
}

/** A command as its caller states it. */
export type StatedUnitCommand = CommandOf<UnitCommandFields<StatedUnit, StatedArrival>>;

/** A command with the identifiers that the decision needs. */
export type UnitCommand = CommandOf<UnitCommandFields<Registration, Arrival>>;

/** The commands that the source of a unit gives. */
export type SourceCommand = Extract<StatedUnitCommand, FromSource>;

/** The commands that no source gives. */
export type OperatorUnitCommand = Exclude<StatedUnitCommand, FromSource>;

export type UnitRefusal =
  | { readonly code: 'unit_not_found' }
  | { readonly code: 'unit_exists' }
  /** The unit belongs to another source type (specification §1, ownership rule). */
  | { readonly code: 'other_source'; readonly owner: SourceType }
  | { readonly code: 'tenant_contradicted' }
  | { readonly code: 'tenant_is_full' }
  /** The account is a guest's, or holds passes: it rents nothing. */
  | { readonly code: 'tenant_is_reserved' }
  /** A write that speaks of a later instant than `snapshot_at` changed the unit. */
  | { readonly code: 'written_since'; readonly written_at: number }
  /** The unit would be new, and its identifier looks like another one. */
  | { readonly code: 'identifier_confusable'; readonly confusable: Confusable }
  | { readonly code: 'location_required' }
  | { readonly code: 'location_unknown' }
  | { readonly code: 'location_missing' }
  /** The company has one unit of this identifier, at another location than the command names. */
  | { readonly code: 'unit_at_other_location'; readonly pms_location_code: string | undefined }
  | { readonly code: 'unit_not_occupied' }
  | { readonly code: 'unit_occupied' }
  | { readonly code: 'unit_retired' }
  /** Nobody rents the unit from which a tenant would be transferred. */
  | { readonly code: 'unit_vacant' }
  | { readonly code: 'transfer_to_same_unit' }
  | { readonly code: 'transfer_to_occupied_unit' }
  | { readonly code: 'transfer_to_other_location' }
  /** The unit, or the one from which the tenant would be transferred. */
  | { readonly code: 'unit_in_auction'; readonly unit_name: string }
  | { readonly code: 'unit_unrentable' }
  /** Staff have set an override on the vacant unit. */
  | { readonly code: 'unit_overridden' }
  /** Another unit has taken the tenancy before. This one did not hand it over yet. */
  | { readonly code: 'transfer_unfinished'; readonly unit_name: string }
  /** Somebody damaged the unit's events in the log, or those of the tenant whose details would change. */
  | { readonly code: 'history_damaged' }
  | { readonly code: 'tenant_is_primary' }
  | { readonly code: 'override_already_over' }
  | { readonly code: 'share_already_over' }
  | { readonly code: 'share_too_long' }
  /** The location does not let tenants share. */
  | { readonly code: 'sharing_off' }
  /** Another account rents the unit. */
  | { readonly code: 'unit_of_another_tenant' }
  | { readonly code: 'offer_to_oneself' }
  | { readonly code: 'offer_too_long' }
  /** The tenant has invited, or lets in, as many people as one may. */
  | { readonly code: 'people_full' }
  | { readonly code: 'share_not_found' }
  /** Too many wrong codes were entered. */
  | { readonly code: 'offer_locked' }
  /** Staff have shared the unit with the account. */
  | { readonly code: 'already_shared' };

/** A warning about a write that was accepted (decisions §2). */
export type UnitWarning =
  | 'tenant_replaced'
  | 'balance_carried_over'
  | 'exemption_carried_over'
  | 'lockout_carried_over'
  | 'unrentable_cleared'
  | 'auction_cleared'
  | 'lockout_cleared'
  | 'personal_data_suppressed'
  | 'location_ignored'
  | 'unit_name_ignored'
  | 'unit_revived'
  | 'written_during_transfer'
  | 'keys_still_valid'
  | FactsWarning;

/** Warnings about facts that have no effect, or an unexpected one, after the write. */
export type FactsWarning =
  'lockout_suppressed_by_exemption' | 'balance_without_date' | 'vacant_unit_owes' | 'auction_while_exempt';

export interface UnitResult {
  readonly created: boolean;
  readonly warnings: readonly UnitWarning[];
  /** The personal details that changed; absent if none did. */
  readonly person_changed?: readonly string[];
  /** After a wrong code: how many more may be entered. Absent after any other command. */
  readonly tries_left?: number;
}
