export {
  ACCESS_CATEGORY,
  ACCESS_EVENT_TYPES,
  type AccessBeginning,
  type AccessCause,
  type AccessChanged,
  type AccessEvent,
  accessStream,
  type OutsideCause,
  unitOfAccessStream,
} from './core/access.events.js';
export { ACCESS_POLICY_TABLE } from './core/access-policy-table.js';
export {
  ACCESS_REASONS,
  ACCESS_STATES,
  type AccessReason,
  type AccessState,
  type Calendar,
  type Check,
  type CheckName,
  type Cure,
  type LookedAt,
} from './core/decision.js';
export { unitAtEntryPoint, type UnitEntryPoint } from './core/unit-entry-points.js';
export { decidePassGate, passageOfPass } from './core/pass-gates.js';
export { closesAt } from './core/closing.js';
export { type SeenAccess, seenAccessOf } from './core/seen-access.js';
export {
  type Access,
  accessOf,
  isLockedOut,
  isSameAccess,
  type ShortDecision,
  shortDecision,
} from './core/policy.js';
export {
  decideEntryPoint,
  ENTRY_POINT_CHECKS,
  type EntryPointDecision,
  type EntryPointReason,
} from './core/entry-point.js';
export { DecisionObserver, type ObservedDecision, RENTED_UNIT_DECISIONS } from './decision-observer.js';
export { LocationForecast } from './forecast/location-forecast.js';
export { TemporalCalendar } from './calendar.js';
export { type Bearing, rented, type TenantUnit } from './core/tenant-units.js';
export { TENANT_ACCESS, type TenantAccessDocument } from './tenant-access/tenant-access.documents.js';
export { SCAN_PAGE_SIZE, tenantDocuments } from './tenant-access/tenant-documents.js';
export { TenantLockEntitlement } from './tenant-access/tenant-lock-entitlement.js';
export { TenantAccessCheck } from './tenant-access/tenant-access-check.js';
export { ShareNames } from './tenant-access/share-names.js';
export { TenantAccessViews } from './tenant-access/tenant-access.views.js';
export { type UnitGate, UnitGates } from './tenant-access/unit-gates.js';
export type { Ties } from './core/ties.js';
export { Denials, type DeniedUnit, type WantedDenials } from './unit-access/denials.js';
export { type DescribedUnit, MOST_CURES, UnitAccess } from './unit-access/unit-access.js';
export { isAskedFor, type UnitListFilter, UnitLists, type UnitListPage } from './unit-access/unit-lists.js';
export { LocationDecisions } from './unit-access/location-decisions.js';
export {
  presentDecision,
  presentExplainedDecision,
  presentExplainedUnit,
  presentLocation,
  presentOpening,
  presentOverride,
  presentPolicy,
  presentUnit,
  presentValue,
} from './unit-access/unit.presenter.js';
export { AccessModule } from './access.module.js';
export { BoundarySweep } from './boundary-sweep.js';
export { issueKeys, recordsOfKeys } from './tenant-access/answer-keys.js';
export { answerHoldings } from './tenant-access/tenant-access.answer.js';
export type { TenantAccess } from './tenant-access/tenant-access.shapes.js';
export { HeldPassesReader } from './tenant-access/held-passes.reader.js';
export { TenantHoldingsReader, type ReadHoldings } from './tenant-access/tenant-holdings.reader.js';
