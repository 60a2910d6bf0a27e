export {
  AMOUNT_FACTS,
  type ChangeableFacts,
  FACT_NAMES,
  type FactDeclaration,
  type FactKind,
  type FactName,
  factOf,
  FACTS_AFTER_MOVE_OUT,
  type UnitFacts,
  VACANT_FACTS,
  WRITABLE_FACTS,
  type WritableFact,
} from './core/fact-catalogue.js';
export {
  type AccessOverride,
  OVERRIDE_VALUES,
  OVERRIDES,
  type OverrideValue,
} from './core/override-catalogue.js';
export type { Confusable } from './core/confusable.js';
export type {
  IfOccupied,
  OperatorUnitCommand,
  SourceCommand,
  StatedArrival,
  StatedUnitCommand,
  UnitRefusal,
  UnitWarning,
} from './core/unit.commands.js';
export {
  isShareInForce,
  LONGEST_SHARE_MS,
  nextShareEnd,
  type Share,
  shareOf,
  sharesInForce,
} from './core/shares.js';
export {
  isOfferLocked,
  isTenantShare,
  LONGEST_TENANT_SHARE_MS,
  MOST_PEOPLE_OF_TENANT,
  MOST_WRONG_CODES,
  offerEnd,
  openOffers,
  type ShareOffer,
  type TenantShare,
} from './core/offers.js';
export { findTenantShare, type FoundTenantShare, refuseOffer } from './core/unit.sharing.js';
export { UNIT_CATEGORY, UNIT_EVENT_TYPES, type UnitEvent } from './core/unit.events.js';
export type { SourceType, Writer } from './core/unit.facts.js';
export { quietFrom } from './core/quiet.js';
export {
  evolve,
  hasUnit,
  IDLE_STATES,
  idleState,
  isLet,
  type IdleState,
  overrideInForce,
  tenantsNamed,
  type UnitState,
} from './core/unit.state.js';
export { refuseShare } from './core/unit.refusals.js';
export { WARNING_MESSAGES } from './core/unit.warnings.js';
export { TransferTenant } from './transfer-tenant.js';
export { RentedUnits } from './rented-units.js';
export { UnitChangeListener, type UnitChange } from './unit-changes.js';
export type { CommandOnUnit } from './unit-preparation.js';
export { UNIT, type UnitOutcome } from './unit.aggregate.js';
export { exactFirst, UnitDirectory } from './unit.directory.js';
export { UnitsByText } from './units-by-text.js';
export { UnitProjector } from './unit.projector.js';
export { toSnapshot, toUnitDocument, type UnitDocument, UNITS } from './unit.documents.js';
export { isUnitId, UNIT_ID_PREFIX } from './unit-path-key.js';
export { unitStream } from './unit-stream.js';
export { UnitsModule } from './units.module.js';
export { WriteUnits } from './write-units.js';
