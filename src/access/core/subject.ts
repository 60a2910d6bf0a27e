import type { LocationPolicy } from '../../locations/index.js';
import type { AccessOverride, SourceType, UnitFacts, UnitState } from '../../units/index.js';

/** A unit as far as a decision needs it. A `UnitState` is one. */
export interface SubjectUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly source_type: SourceType;
  readonly facts: UnitFacts;
  readonly override: AccessOverride | null;
  readonly set_at: UnitState['set_at'];
}

/** Everything a decision is made of, but for the calendar. */
export interface DecisionInput {
  readonly unit: SubjectUnit;
  /**
   * The units of the same tenant at the same location. The unit itself may stand among them and is passed over, so
   * that one list serves all units of a tenant.
   */
  readonly siblings: readonly SubjectUnit[];
  readonly policy: LocationPolicy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
