import type { WriteContext } from '../writing/write-context.js';
import type { ChangeableFacts } from './core/fact-catalogue.js';
import type { SourceType } from './core/unit.facts.js';

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

/** A validated write of one unit. Names the location and the tenant by the PMS's identifiers, not by ours. */
export interface UnitWrite {
  readonly kind: 'register' | 'move_in' | 'move_out' | 'change_facts' | 'sync';
  readonly crm_unit_id: string;
  readonly unit_name?: string | undefined;
  readonly pms_location_code?: string | undefined;
  /** Used instead of `pms_location_code` if the caller knows the location. */
  readonly location_id?: string | undefined;
  /** Absent in a sync: the unit is not occupied. */
  readonly arrival?: StatedArrival | undefined;
  /** Amounts in cents. */
  readonly facts?: Partial<ChangeableFacts> | undefined;
  /** For a sync: the instant at which the source read the state, in milliseconds. */
  readonly snapshot_at?: number | undefined;
}

export interface Writer {
  readonly company_id: string;
  readonly source: SourceType;
}

export interface UnitWriteOptions {
  readonly context: WriteContext;
  /** True: decides and answers, but stores nothing. */
  readonly dryRun?: boolean | undefined;
}
