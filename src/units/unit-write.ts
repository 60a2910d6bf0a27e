import type { ChangeableFacts } from './core/unit.events.js';
import type { FactName, SourceType } from './core/unit.facts.js';

/** A tenant's person as the nested tenant shape states it. */
export interface StatedPerson {
  readonly first_name: string;
  readonly last_name: string;
  /** Absent leaves what is recorded, null clears it. */
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** Who takes the unit, in the PMS's words. */
export interface StatedArrival {
  readonly pms_tenant_id: string;
  readonly move_in_date: string;
  readonly ledger_id?: string | null | undefined;
  readonly person?: StatedPerson | undefined;
}

/** One unit's part of a write, valid in itself but with names where the units feature wants identifiers. */
export interface StatedWrite {
  readonly kind: 'register' | 'move_in' | 'move_out' | 'change_facts' | 'sync';
  readonly crm_unit_id: string;
  readonly unit_name?: string | undefined;
  readonly pms_location_code?: string | undefined;
  /** A location that needs no resolving, from an operator who is at it. */
  readonly location_id?: string | undefined;
  /** For a sync, its absence means that the unit is not occupied. */
  readonly arrival?: StatedArrival | undefined;
  /** Amounts in cents. */
  readonly facts: Partial<ChangeableFacts>;
}

/** On whose behalf units are written. */
export interface Writer {
  readonly company_id: string;
  readonly source: SourceType;
}

/** A stated write with what is fixed for it once and for all, however often it is decided. */
export interface OpenWrite extends StatedWrite {
  readonly new_unit_id: string;
  readonly new_tenancy_id: string;
}

/** The facts that a write names, changed or not. */
export function touchedFacts({ facts }: StatedWrite): ReadonlySet<FactName> {
  return new Set(Object.keys(facts) as FactName[]);
}
