import type { LocationPolicy } from '../../locations/index.js';
import type { UnitState } from '../../units/index.js';
import type { AccessReason, AccessState, Calendar } from './decision.js';
import { standingOf } from './policy.js';
import type { SubjectUnit } from './subject.js';

/** The part of a decision that is kept beside its facts. */
export interface KeptDecision {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Milliseconds, or null for never. */
  readonly valid_until: number | null;
}

interface UnitReference {
  readonly unit_id: string;
  readonly stream: string;
  /** The unit's stream revision that this entry shows. */
  readonly revision: number;
}

/** The tenant rents the unit. Carries all that the decisions of the tenant's units are made of. */
export interface RentedUnit extends UnitReference {
  readonly relationship: 'primary';
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  readonly decision: KeptDecision;
}

/** The tenant shares the unit, or had it before: evidence may still come from either. */
export interface RelatedUnit extends UnitReference {
  readonly relationship: 'shared' | 'former';
}

export type TenantUnit = RentedUnit | RelatedUnit;

/** Stands until the first evaluation, which always follows. */
const NOT_YET_DECIDED: KeptDecision = { state: 'vacant', reason: null, valid_until: null };

/** A unit as one tenant's document shows it. */
export function toTenantUnit(tenant_id: string, stream: string, unit: UnitState): TenantUnit {
  const { unit_id, crm_unit_id, source_type, revision, facts, override, set_at, tenancy } = unit;
  if (tenancy?.tenant_id !== tenant_id) {
    const relationship = unit.shares.includes(tenant_id) ? 'shared' : 'former';
    return { unit_id, stream, revision, relationship };
  }
  return {
    unit_id,
    stream,
    revision,
    relationship: 'primary',
    tenancy_id: tenancy.tenancy_id,
    subject: { unit_id, crm_unit_id, source_type, facts, override, set_at },
    decision: NOT_YET_DECIDED,
  };
}

/** Merges units into a tenant's list: of each unit the newest revision stands, whatever order they come in. */
export function mergeTenantUnits(known: readonly TenantUnit[], changed: readonly TenantUnit[]): TenantUnit[] {
  const merged = new Map(known.map((unit) => [unit.unit_id, unit]));
  for (const unit of changed) {
    const present = merged.get(unit.unit_id);
    if (present === undefined || present.revision < unit.revision) merged.set(unit.unit_id, unit);
  }
  return [...merged.values()];
}

/**
 * The units with the decisions that hold now. All are made of the same list, so none is older than another. A unit of
 * which the same is decided as before is the very same object.
 */
export function decideTenantUnits(
  units: readonly TenantUnit[],
  policy: LocationPolicy,
  now: number,
  calendar: Calendar,
): TenantUnit[] {
  const siblings = rented(units).map(({ subject }) => subject);
  return units.map((unit) => {
    if (unit.relationship !== 'primary') return unit;
    const { state, reason, valid_until } = standingOf(
      { unit: unit.subject, siblings, policy, now },
      calendar,
    );
    const { decision } = unit;
    const same =
      decision.state === state && decision.reason === reason && decision.valid_until === valid_until;
    return same ? unit : { ...unit, decision: { state, reason, valid_until } };
  });
}

/** The decisions of which state or reason is another than before, or which are new. */
export function decisionsMade(before: readonly TenantUnit[], after: readonly TenantUnit[]): KeptDecision[] {
  const known = new Map(rented(before).map(({ unit_id, decision }) => [unit_id, decision]));
  return rented(after)
    .map(({ unit_id, decision }) => ({ decision, past: known.get(unit_id) }))
    .filter(({ decision, past }) => past?.state !== decision.state || past.reason !== decision.reason)
    .map(({ decision }) => decision);
}

/** The units that the tenant rents now. */
export function rented(units: readonly TenantUnit[]): RentedUnit[] {
  return units.filter((unit) => unit.relationship === 'primary');
}

/** The states of the units that the tenant rents, each once. */
export function statesOf(units: readonly TenantUnit[]): AccessState[] {
  return [...new Set(rented(units).map(({ decision }) => decision.state))].sort();
}

/** The first instant at which one of the decisions may differ without a write; null for never. */
export function earliestEnd(units: readonly TenantUnit[]): number | null {
  const ends = rented(units).flatMap(({ decision }) => decision.valid_until ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}
