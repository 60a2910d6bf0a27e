import type { ChangeableFacts } from './fact-catalogue.js';
import type { CalendarDate } from './fact-catalogue.js';
import type { AccessOverride } from './override-catalogue.js';
import type { SourceType } from './unit.facts.js';

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
  /** The display name; undefined: the same as `crm_unit_id`. */
  readonly unit_name: string | undefined;
  readonly location: NewUnitLocation;
}

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
}

/** The commands that the source of a unit gives. */
type SourceCommand = { readonly source: SourceType } & (
  | { readonly kind: 'register'; readonly registration: Registration }
  | { readonly kind: 'move_in'; readonly registration: Registration; readonly arrival: Arrival }
  | { readonly kind: 'move_out' }
  | { readonly kind: 'change_facts'; readonly facts: Partial<ChangeableFacts> }
  /** A full state: creates, moves in or out, then sets the facts (specification §4.1, bulk). */
  | {
      readonly kind: 'sync';
      readonly registration: Registration;
      /** null: the unit is not occupied. */
      readonly arrival: Arrival | null;
      readonly facts: Partial<ChangeableFacts>;
      /** The instant of the state (milliseconds). A later single write wins. undefined: the state always wins. */
      readonly snapshot_at?: number | undefined;
    }
);

/** The commands that only an operator gives. */
export type OperatorUnitCommand =
  | { readonly kind: 'rename'; readonly unit_name: string }
  | { readonly kind: 'override'; readonly override: AccessOverride }
  | { readonly kind: 'clear_override' }
  | { readonly kind: 'share'; readonly tenant_id: string }
  | { readonly kind: 'end_share'; readonly tenant_id: string }
  | { readonly kind: 'retire' }
  | { readonly kind: 'revive' };

export type UnitCommand = SourceCommand | OperatorUnitCommand;

export type UnitRefusal =
  | { readonly code: 'unit_not_found' }
  | { readonly code: 'unit_exists' }
  /** The unit belongs to another source type (specification §1, ownership rule). */
  | { readonly code: 'other_source'; readonly owner: SourceType }
  | { readonly code: 'tenant_contradicted' }
  /** A single write changed the unit after `snapshot_at`. */
  | { readonly code: 'written_since'; readonly written_at: number }
  | { readonly code: 'location_required' }
  | { readonly code: 'location_unknown' }
  | { readonly code: 'location_missing' }
  | { readonly code: 'unit_not_occupied' }
  | { readonly code: 'unit_occupied' }
  | { readonly code: 'unit_retired' }
  | { readonly code: 'tenant_is_primary' }
  | { readonly code: 'override_already_over' };

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
  | FactsWarning;

/** Warnings about facts that have no effect, or an unexpected one, after the write. */
export type FactsWarning =
  'lockout_suppressed_by_exemption' | 'balance_without_date' | 'vacant_unit_owes' | 'auction_while_exempt';

export interface UnitResult {
  readonly created: boolean;
  readonly warnings: readonly UnitWarning[];
  /** The personal details that changed; absent if none did. */
  readonly person_changed?: readonly string[];
}
