import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { quietFrom } from '#domain/units/core/quiet.js';
import { shareOf } from '#domain/units/core/shares.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import type { AccessState, Calendar } from './decision.js';
import { type ShortDecision, shortDecision } from './policy.js';
import type { SubjectUnit } from './subject.js';

interface UnitReference {
  readonly unit_id: string;
  readonly stream: string;
  /** The revision of the unit's stream that this entry comes from. */
  readonly revision: number;
}

/** A unit that the tenant rents, with the facts that decide about all of the tenant's units. */
export interface RentedUnit extends UnitReference {
  readonly relationship: 'primary';
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  readonly decision: ShortDecision;
}

/** A unit that is shared with the tenant. The share may have ended by itself. */
interface SharedUnit extends UnitReference {
  readonly relationship: 'shared';
  /** Milliseconds. Null: it has no end. */
  readonly until: number | null;
}

/** A unit that the tenant had before. Locks may still report activity of such a tenant. */
interface FormerUnit extends UnitReference {
  readonly relationship: 'former';
}

export type TenantUnit = RentedUnit | SharedUnit | FormerUnit;

/** Placeholder: `decideTenantUnits` always replaces it before the entry is stored. */
const NOT_YET_DECIDED: ShortDecision = { state: 'vacant', reason: null, valid_until: null };

/** The entry of a unit in the document of one tenant. */
export function toTenantUnit(tenant_id: string, stream: string, unit: UnitState): TenantUnit {
  const { unit_id, crm_unit_id, source_type, revision, facts, override, set_at, tenancy } = unit;
  if (tenancy?.tenant_id !== tenant_id) {
    const share = shareOf(unit.shares, tenant_id);
    if (share === undefined) return { unit_id, stream, revision, relationship: 'former' };
    return { unit_id, stream, revision, relationship: 'shared', until: share.until };
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

/** Merges entries into a tenant's list. The highest revision of each unit wins, in whatever order entries arrive. */
export function mergeTenantUnits(known: readonly TenantUnit[], changed: readonly TenantUnit[]): TenantUnit[] {
  const merged = new Map(known.map((unit) => [unit.unit_id, unit]));
  for (const unit of changed) {
    const present = merged.get(unit.unit_id);
    if (present === undefined || present.revision < unit.revision) merged.set(unit.unit_id, unit);
  }
  return [...merged.values()];
}

/**
 * The entries with the decisions of `now`, all made from the same list. An entry whose decision has not changed is
 * returned as the same object, so that callers can compare by identity.
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
    const { state, reason, valid_until } = shortDecision(
      { unit: unit.subject, siblings, policy, now },
      calendar,
    );
    const { decision } = unit;
    const same =
      decision.state === state && decision.reason === reason && decision.valid_until === valid_until;
    return same ? unit : { ...unit, decision: { state, reason, valid_until } };
  });
}

/** The decisions whose state or reason has changed, and those of new entries. */
export function decisionsMade(before: readonly TenantUnit[], after: readonly TenantUnit[]): ShortDecision[] {
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

/** What a policy may bear on: several units, which may bear on each other, and a unit with grounds to deny it. */
export type Bearing = 'several' | 'grounds';

export function bearingsOf(units: readonly TenantUnit[]): Bearing[] {
  const hasGrounds = ({ subject: { facts, override } }: RentedUnit) =>
    quietFrom(facts, override) === Infinity;
  return [
    ...(units.length > 1 ? ['several' as const] : []),
    ...(rented(units).some(hasGrounds) ? ['grounds' as const] : []),
  ];
}

/** The earliest `valid_until` of the decisions; null: never. */
export function earliestEnd(units: readonly TenantUnit[]): number | null {
  const ends = rented(units).flatMap(({ decision }) => decision.valid_until ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** The part of a tenant's document that all its other fields follow from. */
interface DecidedUnits {
  readonly policy_revision: number;
  readonly units: readonly TenantUnit[];
}

/** True if a document has not changed. Unchanged entries are the same objects. */
export function isDecidedAlike(
  known: DecidedUnits | undefined,
  { policy_revision, units }: DecidedUnits,
): boolean {
  return (
    known?.policy_revision === policy_revision &&
    known.units.length === units.length &&
    units.every((unit, index) => unit === known.units[index])
  );
}
