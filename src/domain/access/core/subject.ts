import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { AccessOverride } from '#domain/units/core/override-catalogue.js';
import type { SourceType } from '#domain/units/core/unit.facts.js';
import type { UnitFacts } from '#domain/units/core/fact-catalogue.js';
import type { UnitState } from '#domain/units/core/unit.state.js';

/** The part of a unit that a decision reads. A `UnitState` is one. */
export interface SubjectUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly source_type: SourceType;
  readonly facts: UnitFacts;
  readonly override: AccessOverride | null;
  readonly set_at: UnitState['set_at'];
}

/** Everything that a decision depends on, except the calendar. */
export interface DecisionInput {
  readonly unit: SubjectUnit;
  /**
   * The units of the same tenant at the same location. The list may contain the unit itself, which is ignored. So one
   * list serves all units of a tenant.
   */
  readonly siblings: readonly SubjectUnit[];
  readonly policy: LocationPolicy;
  /** Milliseconds since the epoch. */
  readonly now: number;
}
