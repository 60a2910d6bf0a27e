import type { WriteContext } from '../writing/write-context.js';
import type { ChangeableFacts } from './core/fact-catalogue.js';
import type { SourceType } from './core/unit.facts.js';

/** A tenant's person as the nested tenant shape states it. */
export interface StatedPerson {
  readonly first_name: string;
  readonly last_name: string;
  /** Absent leaves what is recorded, null clears it. */
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** The tenant who takes the unit, in the PMS's words. */
export interface StatedArrival {
  readonly pms_tenant_id: string;
  readonly move_in_date: string;
  readonly ledger_id?: string | null | undefined;
  readonly person?: StatedPerson | undefined;
}

/** One unit's part of a write, valid in itself, with the PMS's names instead of the service's identifiers. */
export interface UnitWrite {
  readonly kind: 'register' | 'move_in' | 'move_out' | 'change_facts' | 'sync';
  readonly crm_unit_id: string;
  readonly unit_name?: string | undefined;
  readonly pms_location_code?: string | undefined;
  /** Replaces `pms_location_code` where the caller knows the location. */
  readonly location_id?: string | undefined;
  /** Absent in a sync: the unit is not occupied. */
  readonly arrival?: StatedArrival | undefined;
  /** Amounts in cents. */
  readonly facts?: Partial<ChangeableFacts> | undefined;
  /** Set for a sync: the instant at which the source took the state, in milliseconds. */
  readonly snapshot_at?: number | undefined;
}

/** On whose behalf units are written. */
export interface Writer {
  readonly company_id: string;
  readonly source: SourceType;
}

/** How a write is made. */
export interface WriteOptions {
  readonly context: WriteContext;
  /** Decide and answer, and store nothing. */
  readonly dryRun?: boolean | undefined;
}
