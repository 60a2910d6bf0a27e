export { ChangeUnitFacts } from './commands/change-unit-facts.js';
export { MoveTenantIn } from './commands/move-tenant-in.js';
export { MoveTenantOut } from './commands/move-tenant-out.js';
export { OperateUnit } from './commands/operate-unit.js';
export { RegisterUnits } from './commands/register-units.js';
export { SyncUnits, type UnitSync } from './commands/sync-units.js';
export {
  AMOUNT_FACTS,
  type CalendarDate,
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
export type { OperatorUnitCommand, UnitRefusal, UnitWarning } from './core/unit.commands.js';
export { UNIT_CATEGORY, UNIT_EVENT_TYPES, type UnitEvent } from './core/unit.events.js';
export type { SourceType } from './core/unit.facts.js';
export {
  evolve,
  IDLE_STATES,
  type IdleState,
  overrideInForce,
  tenantsNamed,
  type UnitState,
} from './core/unit.state.js';
export { WARNING_MESSAGES } from './core/unit.warnings.js';
export { UNIT_CHANGE_LISTENER, type UnitChange, type UnitChangeListener } from './unit-changes.js';
export type { StatedArrival, Writer } from './unit-write.js';
export { UNIT, type UnitOutcome } from './unit.aggregate.js';
export { UnitDirectory } from './unit.directory.js';
export {
  isUnitId,
  toSnapshot,
  toUnitDocument,
  type UnitDocument,
  UnitProjector,
  UNITS,
  unitStream,
} from './unit.projector.js';
export { UnitsModule } from './units.module.js';
