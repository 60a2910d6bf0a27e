export { type LocationContact, isPaymentUrl, NO_CONTACT, paymentLink } from './core/contact.js';
export { CURRENCIES, DEFAULT_CURRENCY } from './core/currencies.js';
export { detailsAfter } from './core/decide/details.js';
export { DEFAULT_POLICY, type LocationPolicy } from './core/location-policy.js';
export {
  isOn,
  type LocationNotices,
  MOST_CLOSES_IN_DAYS,
  NEVER_NOTICED,
  NO_NOTICES,
  type NoticesSince,
} from './core/notices.js';
export {
  type AccessHours,
  accessHours,
  DEFAULT_EXIT_GRACE_MINUTES,
  type DayHours,
  type HoursException,
  MOST_EXCEPTIONS,
  MOST_EXIT_GRACE_MINUTES,
  type Weekday,
  WEEKDAYS,
} from './core/hours/access-hours.js';
export {
  ALWAYS_OPEN,
  contradicting,
  type HoursChange,
  hoursChanges,
  withChanges,
} from './core/hours/hours-changes.js';
export { hoursAt } from './core/hours/hours-at.js';
export { hoursOn, windowOn } from './core/hours/open-periods.js';
export { ALWAYS, type NextWindow, nextWindowAfter, type Passage, passageAt } from './core/hours/passage.js';
export type { ZonedHours } from './core/hours/open-periods.js';
export { usualTimezone } from './core/usual-timezone.js';
export { unitOfLockAt } from './core/lock-placements.js';
export { sharesZone } from './core/shares-zone.js';
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
  type EntryPointHours,
  type EntryPointKind,
  type KeyFormat,
  LOCATION_CATEGORY,
  LOCATION_EVENT_TYPES,
  type LocationEvent,
  locationStream,
} from './core/location.events.js';
export type { EntryPointState, LocationDetails, LockState, ZoneState } from './core/location.state.js';
export { LocationOpening } from './location-opening.js';
export { LocationDirectory } from './location.directory.js';
export type {
  EntryPoint,
  LocationDocument,
  LockDocument,
  MountedLock,
  UnitZonesAndLocksDocument,
  Zone,
} from './location.documents.js';
export { LocationPolicyListener, UnitLookup } from './location.ports.js';
export { LocationProjector } from './location.projector.js';
export { LocationsModule } from './locations.module.js';
export type { ReplacingLock } from './core/location.commands.js';
export type { StatedLocationCommand } from './stated-location-commands.js';
export { WriteLocation } from './write-location.js';
