export { DEFAULT_POLICY, type LocationPolicy } from './core/location-policy.js';
export { unitOfLockAt } from './core/lock-placements.js';
export { zonesAt } from './core/zone-stays.js';
export type {
  Described,
  BareRefusal,
  LocationRefusal,
  SetupChange,
  SetupFault,
  SetupOutcome,
  SetupWarning,
} from './core/location.commands.js';
export {
  type EntryPointKind,
  LOCATION_CATEGORY,
  LOCATION_EVENT_TYPES,
  type LocationEvent,
  locationStream,
} from './core/location.events.js';
export type { EntryPointState, LocationDetails, LockState, ZoneState } from './core/location.state.js';
export { LocationCommands } from './location.commands.js';
export { LocationDirectory } from './location.directory.js';
export type {
  EntryPoint,
  LocationDocument,
  LockDocument,
  MountedLock,
  UnitZonesAndLocksDocument,
} from './location.documents.js';
export {
  LOCATION_POLICY_LISTENER,
  type LocationPolicyListener,
  UNIT_LOOKUP,
  type UnitLookup,
} from './location.ports.js';
export { LocationProjector } from './location.projector.js';
export { LocationsModule } from './locations.module.js';
