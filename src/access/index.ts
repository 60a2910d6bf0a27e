export { ACCESS_POLICY_TABLE } from './core/access-policy-table.js';
export {
  ACCESS_REASONS,
  ACCESS_STATES,
  type AccessReason,
  type AccessState,
  type Calendar,
  type Check,
  type CheckName,
  type LookedAt,
} from './core/decision.js';
export { isLockedOut } from './core/policy.js';
export { DECISION_OBSERVER, type DecisionObserver } from './decision-observer.js';
export { LocationForecast } from './forecast/location-forecast.js';
export { PolicyEffects } from './policy-effect/policy-effects.js';
export { POLICY_EFFECT_SCHEMA } from './policy-effect/policy-effect.schemas.js';
export { TemporalCalendar } from './calendar.js';
export type { TenantUnit } from './core/tenant-units.js';
export { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access/tenant-access.documents.js';
export { TenantLockEntitlement } from './tenant-access/lock-entitlement.js';
export { TenantAccessCheck } from './tenant-access/tenant-access-check.js';
export { TenantAccessViews } from './tenant-access/tenant-access.views.js';
export { type UnitGate, UnitGates } from './tenant-access/unit-gates.js';
export type { Ties } from './core/ties.js';
export { Denials, type DeniedUnit, type WantedDenials } from './unit-access/denials.js';
export { type DescribedUnit, MOST_CURES, UnitAccess } from './unit-access/unit-access.js';
export { isAskedFor, type UnitListFilter, UnitLists, type UnitListPage } from './unit-access/unit-lists.js';
export { LocationDecisions } from './unit-access/location-decisions.js';
export {
  presentDecision,
  presentLocation,
  presentOverride,
  presentPolicy,
  presentUnit,
  presentValue,
} from './unit-access/unit.presenter.js';
export {
  ACCESS_POLICY_SCHEMA,
  ACCESS_SCHEMA,
  BALANCE_DUE,
  checksOf,
  DECIDED_SCHEMA,
  EXPLAINED_ACCESS_SCHEMA,
  EXPLAINED_UNIT_SCHEMA,
  LOCATION_WITH_POLICY_SCHEMA,
  LOOKED_AT,
  LOOKED_AT_UNIT,
  POLICY_FIELDS,
  POLICY_SCHEMA,
  REASON,
  REASON_SCHEMA,
  STATE,
  UNIT_AS_OF_SCHEMA,
  UNIT_SCHEMA,
} from './unit-access/unit.schemas.js';
export { AccessModule } from './access.module.js';
export { BoundarySweep } from './boundary-sweep.js';
export { FORECAST_SCHEMA } from './forecast/forecast.schemas.js';
