import type { ChangeableFacts } from './unit.events.js';
import type { AccessOverride, CalendarDate, SourceType } from './unit.facts.js';

/** Where a unit that does not exist yet would be. */
export type Placement =
  /** `given`: the caller named it. An inferred location is never compared with an existing unit's. */
  | { readonly kind: 'known'; readonly location_id: string; readonly given: boolean }
  /** The caller named a location that the company does not have. */
  | { readonly kind: 'unknown' }
  /** None was named, and none can be inferred. */
  | { readonly kind: 'none' }
  /** The company has no location at all: whatever the caller named, an operator comes first. */
  | { readonly kind: 'nowhere' };

/** What a unit that does not exist yet would be created as. `unit_id` is new and used only then. */
export interface Registration {
  readonly company_id: string;
  readonly crm_unit_id: string;
  readonly unit_id: string;
  /** The display name that was given; the unit's key serves where there is none. */
  readonly unit_name: string | undefined;
  readonly location: Placement;
}

/** A tenant who takes the unit. */
export interface Arrival {
  /** The account of `pms_tenant_id` at `location_id`. */
  readonly tenant_id: string;
  /** Where the account is looked for: at the unit's location as far as it was known, otherwise where it would be created. */
  readonly location_id: string;
  readonly pms_tenant_id: string;
  readonly move_in_date: CalendarDate;
  /** Undefined leaves the ledger of the tenant who is there, and is none for another. */
  readonly ledger_id: string | null | undefined;
  /** Used where a new tenancy begins. */
  readonly tenancy_id: string;
  /** An earlier write of the same request states another person for this tenant. */
  readonly contradicts?: boolean | undefined;
}

export interface RegisterUnit {
  readonly type: 'RegisterUnit';
  readonly source: SourceType;
  readonly registration: Registration;
}

export interface MoveTenantIn {
  readonly type: 'MoveTenantIn';
  readonly source: SourceType;
  readonly registration: Registration;
  readonly arrival: Arrival;
}

export interface MoveTenantOut {
  readonly type: 'MoveTenantOut';
  readonly source: SourceType;
}

export interface ChangeUnitFacts {
  readonly type: 'ChangeUnitFacts';
  readonly source: SourceType;
  readonly facts: Partial<ChangeableFacts>;
}

/** One entry of a full state: creates, moves in or out, then sets the facts it carries (specification §4.1, bulk). */
export interface SyncUnit {
  readonly type: 'SyncUnit';
  readonly source: SourceType;
  readonly registration: Registration;
  /** Who is there; null for an unoccupied unit. */
  readonly arrival: Arrival | null;
  readonly facts: Partial<ChangeableFacts>;
}

export interface RenameUnit {
  readonly type: 'RenameUnit';
  readonly unit_name: string;
}

export interface OverrideAccess {
  readonly type: 'OverrideAccess';
  readonly override: AccessOverride;
}

export interface ClearAccessOverride {
  readonly type: 'ClearAccessOverride';
}

export interface ShareUnit {
  readonly type: 'ShareUnit';
  readonly tenant_id: string;
}

export interface EndUnitShare {
  readonly type: 'EndUnitShare';
  readonly tenant_id: string;
}

export interface RetireUnit {
  readonly type: 'RetireUnit';
}

export interface ReviveUnit {
  readonly type: 'ReviveUnit';
}

export type UnitCommand =
  | RegisterUnit
  | MoveTenantIn
  | MoveTenantOut
  | ChangeUnitFacts
  | SyncUnit
  | RenameUnit
  | OverrideAccess
  | ClearAccessOverride
  | ShareUnit
  | EndUnitShare
  | RetireUnit
  | ReviveUnit;

/** Why a command is refused. */
export type UnitRefusal =
  | { readonly code: 'unit_not_found' }
  | { readonly code: 'unit_exists' }
  /** The unit belongs to another source type (specification §1, ownership rule). */
  | { readonly code: 'other_source'; readonly owner: SourceType }
  /** The unit was created meanwhile, at another location than the arriving tenant's account was looked for at. */
  | { readonly code: 'names_overtaken'; readonly location_id: string }
  | { readonly code: 'tenant_contradicted' }
  | { readonly code: 'location_required' }
  | { readonly code: 'location_unknown' }
  | { readonly code: 'location_missing' }
  | { readonly code: 'unit_not_occupied' }
  | { readonly code: 'unit_occupied' }
  | { readonly code: 'unit_retired' }
  | { readonly code: 'tenant_is_primary' }
  | { readonly code: 'override_already_over' };

/** What the caller should know about a write that was accepted. */
export type UnitWarning =
  | 'balance_carried_over'
  | 'exemption_carried_over'
  | 'lockout_carried_over'
  | 'unrentable_cleared'
  | 'auction_cleared'
  | 'lockout_cleared'
  | 'personal_data_suppressed'
  | 'location_ignored'
  | 'unit_name_ignored'
  | 'unit_revived';

export interface UnitResult {
  readonly created: boolean;
  readonly warnings: readonly UnitWarning[];
  /** The tenant's person is another by what the write says; absent where it is the same, or nothing was said. */
  readonly person_changed?: boolean;
}
