import type { CommandOf } from '#eventsourcing/writing/aggregate.js';
import type { LocationContact } from './contact.js';
import type { AccessHours } from './hours/access-hours.js';
import type { LocationPolicy } from './location-policy.js';
import type { LocationNotices } from './notices.js';
import type { EntryPointHours, EntryPointKind, KeyFormat } from './location.events.js';
import type {
  EntryPointState,
  UnitZonesAndLocks,
  LocationDetails,
  LockState,
  ZoneState,
} from './location.state.js';

/** A unit never changes its location. */
interface UnitAtLocation {
  readonly unit_id: string;
  readonly location_id: string;
}

/** A unit and its wanted zone and lock. `new_id` is used if the zone or lock does not exist. */
export interface SetupRow {
  readonly unit: UnitAtLocation;
  readonly zone: { readonly name: string; readonly new_id: string } | undefined;
  /** The serial number identifies the lock; without it, the name does. At least one is given. */
  readonly lock:
    | { readonly name: string | undefined; readonly serial: string | undefined; readonly new_id: string }
    | undefined;
}

export type SetupChange = 'zone_created' | 'unit_zoned' | 'lock_created' | 'lock_attached';

export type SetupFault =
  | 'unit_not_of_location'
  | 'zone_not_unique'
  | 'zones_full'
  | 'lock_not_unique'
  | 'serial_not_unique'
  | 'lock_named_otherwise'
  | 'lock_named_like_serial'
  | 'lock_without_serial'
  | 'lock_on_another_unit';

/** A row that was accepted may be a typing error. `names` are those of the zones or locks that exist. */
export interface SetupWarning {
  readonly code: 'zone_name_similar' | 'unit_in_other_zone' | 'unit_has_other_lock';
  readonly names: readonly string[];
}

export type SetupOutcome =
  | {
      readonly zone_id: string | null;
      readonly lock_id: string | null;
      /** Empty if the unit has the zone and the lock already. */
      readonly changes: readonly SetupChange[];
      /** Absent if there are none. */
      readonly warnings?: readonly SetupWarning[];
    }
  | {
      readonly fault: SetupFault;
      /** The names of the locks that the fault is about. */
      readonly locks?: readonly string[];
    };

/**
 * At a location that has all the zones or entry points it may have. Absent: `refuse`. `accept` is for a command that the log
 * already holds: an earlier version accepted it.
 */
export type AtCap = 'refuse' | 'accept';

/** The lock that takes the place of another: one that is on no unit, or a new one. */
export type ReplacingLock =
  | { readonly kind: 'known'; readonly lock_id: string }
  | {
      readonly kind: 'new';
      /** Absent: the name of the lock that is replaced. */
      readonly name?: string | undefined;
      readonly serial: string | null;
      readonly key_format?: KeyFormat | undefined;
    };

/** The fields of each command, by its type. */
export interface LocationCommandFields {
  /** Creates the location. Its company has reserved the code before, by `AddLocation`. */
  readonly OpenLocation: {
    readonly location_id: string;
    readonly company_id: string;
    readonly pms_location_code: string;
    readonly name: string;
    readonly policy: LocationPolicy;
  };
  /** Absent fields do not change. */
  readonly ChangeLocation: {
    readonly name?: string;
    readonly policy?: Partial<LocationPolicy>;
    /** Null: always open. */
    readonly access_hours?: AccessHours | null;
    /** The revision that set the hours from which this change was made; null: none had. Refused after another. Absent: after any. */
    readonly hours_from?: number | null;
    readonly contact?: Partial<LocationContact>;
    readonly currency?: string;
    readonly notices?: Partial<LocationNotices>;
    readonly tenant_sharing?: boolean;
  };
  readonly AddZone: {
    readonly zone_id: string;
    readonly name: string;
    readonly at_cap?: AtCap;
  };
  readonly RenameZone: {
    readonly zone_id: string;
    readonly name: string;
  };
  readonly RemoveZone: {
    readonly zone_id: string;
  };
  readonly ZoneUnit: {
    readonly zone_id: string;
    readonly unit: UnitAtLocation;
  };
  readonly UnzoneUnit: {
    readonly zone_id: string;
    readonly unit_id: string;
  };
  readonly AddEntryPoint: {
    readonly entry_point_id: string;
    readonly name: string;
    readonly kind: EntryPointKind;
    readonly zone_ids: readonly string[];
    /** Absent: `location`. */
    readonly hours?: EntryPointHours;
    /** Absent: 1. */
    readonly key_format?: KeyFormat;
    readonly at_cap?: AtCap;
  };
  /** Absent fields do not change. */
  readonly ChangeEntryPoint: {
    readonly entry_point_id: string;
    readonly name?: string;
    readonly zone_ids?: readonly string[];
    readonly in_service?: boolean;
    readonly hours?: EntryPointHours;
    readonly key_format?: KeyFormat;
  };
  /** Leads an entry point to a zone, too. Its other zones stay. */
  readonly ZoneEntryPoint: {
    readonly zone_id: string;
    readonly entry_point_id: string;
  };
  readonly UnzoneEntryPoint: {
    readonly zone_id: string;
    readonly entry_point_id: string;
  };
  readonly RemoveEntryPoint: {
    readonly entry_point_id: string;
  };
  readonly AddLock: {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
    /** Absent: 1. */
    readonly key_format?: KeyFormat;
  };
  /** Absent fields do not change. */
  readonly ChangeLock: {
    readonly lock_id: string;
    readonly name?: string;
    readonly key_format?: KeyFormat;
  };
  readonly RemoveLock: {
    readonly lock_id: string;
  };
  readonly AttachLock: {
    readonly lock_id: string;
    readonly unit: UnitAtLocation;
  };
  readonly DetachLock: {
    readonly lock_id: string;
    readonly unit_id: string;
  };
  /** Takes a lock off its unit and puts another one on it: one that is on no unit, or a new one. */
  readonly ReplaceLock: {
    readonly lock_id: string;
    readonly unit: UnitAtLocation;
    readonly by: ReplacingLock & { readonly lock_id: string };
  };
  /** Puts units into zones and locks on units. Creates missing zones and locks. */
  readonly SetUpUnits: {
    readonly rows: readonly SetupRow[];
    readonly at_cap?: AtCap;
  };
  /** Records that somebody received the secret of the lock. */
  readonly ProvisionLock: {
    readonly lock_id: string;
  };
  readonly ProvisionEntryPoint: {
    readonly entry_point_id: string;
  };
}

export type LocationCommand = CommandOf<LocationCommandFields>;
export type OpenLocation = CommandOf<LocationCommandFields, 'OpenLocation'>;
export type SetUpUnits = CommandOf<LocationCommandFields, 'SetUpUnits'>;

export type LocationRefusal =
  | { readonly code: 'location_not_found' }
  | { readonly code: 'zone_not_found' }
  | { readonly code: 'entry_point_not_found' }
  | { readonly code: 'lock_not_found' }
  | { readonly code: 'unit_not_found' }
  /** The hours were changed since those from which the command was made. */
  | { readonly code: 'hours_changed' }
  | { readonly code: 'pms_location_code_taken' }
  /** `indexes`: positions in `zone_ids` of zones that are not zones of the location. */
  | { readonly code: 'zones_not_of_location'; readonly indexes: readonly number[] }
  /** The unit is at another location than the zone or lock. */
  | { readonly code: 'unit_not_of_location' }
  | { readonly code: 'lock_on_another_unit' }
  /** A unit is in the zone, or an entry point leads to it. */
  | { readonly code: 'zone_in_use' }
  /** It is in service, and a unit is in one of its zones. */
  | { readonly code: 'entry_point_in_use' }
  /** The lock is on a unit. */
  | { readonly code: 'lock_in_use' }
  /** The location has as many as it may have. */
  | { readonly code: 'zones_full' }
  | { readonly code: 'entry_points_full' }
  /** `lock` is the name of the location's lock that has the serial number. */
  | { readonly code: 'serial_taken'; readonly lock: string };

/** The codes of refusals that have no other member. */
export type BareRefusal = Exclude<LocationRefusal['code'], 'zones_not_of_location' | 'serial_taken'>;

/** The result of an accepted command: the changed thing, after the change. */
export interface LocationResults {
  readonly OpenLocation: Described<LocationDetails>;
  readonly ChangeLocation: Described<LocationDetails>;
  readonly AddZone: Described<ZoneState>;
  readonly RenameZone: Described<ZoneState>;
  readonly RemoveZone: Described<ZoneState>;
  readonly ZoneUnit: Pick<UnitZonesAndLocks, 'unit_id'>;
  readonly UnzoneUnit: Pick<UnitZonesAndLocks, 'unit_id'>;
  readonly AddEntryPoint: Described<EntryPointState>;
  readonly ChangeEntryPoint: Described<EntryPointState>;
  readonly ZoneEntryPoint: Described<EntryPointState>;
  readonly UnzoneEntryPoint: Described<EntryPointState>;
  readonly RemoveEntryPoint: Described<EntryPointState>;
  readonly AddLock: Described<LockState>;
  readonly ChangeLock: Described<LockState>;
  readonly RemoveLock: Described<LockState>;
  readonly AttachLock: Described<LockState>;
  readonly DetachLock: Described<LockState>;
  /** The lock that is on the unit now. */
  readonly ReplaceLock: Described<LockState>;
  /** In the order of the rows. */
  readonly SetUpUnits: readonly SetupOutcome[];
  readonly ProvisionLock: Pick<LockState, 'key_format'>;
  readonly ProvisionEntryPoint: Pick<EntryPointState, 'key_format'>;
}

/** A thing without its history, and without revisions, which are unknown before the events are stored. */
export type Described<Thing> = Omit<
  Thing,
  'revision' | 'policy_revision' | 'set_at' | 'hours_set_at' | 'notices_since' | 'placements' | 'zone_stays'
>;
