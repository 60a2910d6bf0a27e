import type { ChangeableFacts } from './fact-catalogue.js';
import type { CalendarDate } from './fact-catalogue.js';
import type { AccessOverride } from './override-catalogue.js';
import type { SourceType } from './unit.facts.js';

/** The place of a unit that does not exist yet. */
export type Placement =
  /** `given`: the caller named it. An inferred location is never compared with an existing unit's. */
  | { readonly kind: 'known'; readonly location_id: string; readonly given: boolean }
  /** The caller named a location that the company does not have. */
  | { readonly kind: 'unknown' }
  /** None was named, and none can be inferred. */
  | { readonly kind: 'none' }
  /** The company has no location at all: whatever the caller named, an operator comes first. */
  | { readonly kind: 'nowhere' };

/** The identity of a unit that does not exist yet. `unit_id` is new and used only then. */
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
  /** The account of `pms_tenant_id` at the unit's location. */
  readonly tenant_id: string;
  readonly pms_tenant_id: string;
  readonly move_in_date: CalendarDate;
  /** undefined: the same tenant keeps the ledger, a new one has none. */
  readonly ledger_id: string | null | undefined;
  /** Used where a new tenancy begins. */
  readonly tenancy_id: string;
  /** An earlier write of the same request states another person for this tenant. */
  readonly contradicts?: boolean | undefined;
}

/** The commands of the unit's source. */
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
      /** When the source took the state (milliseconds): a single write after it stands. undefined: nothing is skipped. */
      readonly snapshot_at?: number | undefined;
    }
);

/** The commands that only an operator gives. */
export type OperatorCommand =
  | { readonly kind: 'rename'; readonly unit_name: string }
  | { readonly kind: 'override'; readonly override: AccessOverride }
  | { readonly kind: 'clear_override' }
  | { readonly kind: 'share'; readonly tenant_id: string }
  | { readonly kind: 'end_share'; readonly tenant_id: string }
  | { readonly kind: 'retire' }
  | { readonly kind: 'revive' };

export type UnitCommand = SourceCommand | OperatorCommand;

/** Why a command is refused. */
export type UnitRefusal =
  | { readonly code: 'unit_not_found' }
  | { readonly code: 'unit_exists' }
  /** The unit belongs to another source type (specification §1, ownership rule). */
  | { readonly code: 'other_source'; readonly owner: SourceType }
  | { readonly code: 'tenant_contradicted' }
  /** The unit was changed after the state that was sent had been taken. @see SourceCommand */
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
  | StandingWarning;

/** Warnings about facts that have no effect, or an unexpected one, after the write. */
export type StandingWarning =
  'lockout_suppressed_by_exemption' | 'balance_without_date' | 'vacant_unit_owes' | 'auction_while_exempt';

export interface UnitResult {
  readonly created: boolean;
  readonly warnings: readonly UnitWarning[];
  /** The fields by which the tenant's person is another; absent where it is the same, or nothing was said. */
  readonly person_changed?: readonly string[];
}
