import type { CommandOf } from '../../writing/aggregate.js';
import type { LocationPolicy } from './location-policy.js';
import type { EntryPointKind } from './location.events.js';
import type {
  EntryPointState,
  UnitSurroundings,
  LocationDetails,
  LockState,
  ZoneState,
} from './location.state.js';

/** A unit as its own feature knows it; where it stands never changes. */
interface PlacedUnit {
  readonly unit_id: string;
  readonly location_id: string;
}

/** A row of a set-up: a unit, and what it shall have. The new ids are taken if something has to be made. */
export interface SetupRow {
  readonly unit: { readonly unit_id: string; readonly location_id: string };
  readonly zone: { readonly name: string; readonly new_id: string } | undefined;
  /** The serial number says which lock it is; without one the name does. At least one is given. */
  readonly lock:
    | { readonly name: string | undefined; readonly serial: string | undefined; readonly new_id: string }
    | undefined;
}

export type SetupChange = 'zone_created' | 'unit_zoned' | 'lock_created' | 'lock_attached';

/** Why nothing of a row is done. */
export type SetupFault =
  | 'unit_not_of_location'
  | 'zone_not_unique'
  | 'lock_not_unique'
  | 'serial_not_unique'
  | 'lock_named_otherwise'
  | 'lock_without_serial'
  | 'lock_on_another_unit';

export type SetupOutcome =
  | {
      readonly zone_id: string | null;
      readonly lock_id: string | null;
      /** Empty if the unit has all that already. */
      readonly changes: readonly SetupChange[];
    }
  | {
      readonly fault: SetupFault;
      /** The names of several locks, if one of them had to be named. */
      readonly locks?: readonly string[];
    };

/** The fields of each command, by its type. */
export interface LocationCommandFields {
  /** Opens a location to which its company has given the code. */
  readonly OpenLocation: {
    readonly location_id: string;
    readonly company_id: string;
    readonly pms_location_code: string;
    readonly name: string;
    readonly policy: LocationPolicy;
  };
  /** Absent fields stay as they are. */
  readonly ChangeLocation: {
    readonly name?: string;
    readonly policy?: Partial<LocationPolicy>;
  };
  readonly AddZone: {
    readonly zone_id: string;
    readonly name: string;
  };
  readonly ZoneUnit: {
    readonly zone_id: string;
    readonly unit: PlacedUnit;
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
  };
  /** Absent fields stay as they are. */
  readonly ChangeEntryPoint: {
    readonly entry_point_id: string;
    readonly name?: string;
    readonly zone_ids?: readonly string[];
    readonly in_service?: boolean;
  };
  readonly AddLock: {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
  };
  readonly AttachLock: {
    readonly lock_id: string;
    readonly unit: PlacedUnit;
  };
  readonly DetachLock: {
    readonly lock_id: string;
    readonly unit_id: string;
  };
  /** Puts units into zones and locks on units. Zones and locks that are missing are made. */
  readonly SetUpUnits: {
    readonly rows: readonly SetupRow[];
  };
  /** Somebody is handed what the lock is set up with: not to be done without leaving an event. */
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

/** Why a command is refused. */
export type LocationRefusal =
  | { readonly code: 'location_not_found' }
  | { readonly code: 'zone_not_found' }
  | { readonly code: 'entry_point_not_found' }
  | { readonly code: 'lock_not_found' }
  | { readonly code: 'unit_not_found' }
  | { readonly code: 'pms_location_code_taken' }
  /** `indexes` of the `zone_ids` that are no zones of the location. */
  | { readonly code: 'zones_not_of_location'; readonly indexes: readonly number[] }
  /** The unit stands at another location than the zone or lock. */
  | { readonly code: 'unit_not_of_location' }
  | { readonly code: 'lock_on_another_unit' }
  /** `lock` is the name of the location's lock that has the serial number. */
  | { readonly code: 'serial_taken'; readonly lock: string };

/** The codes of refusals that have no other member. */
export type BareRefusal = Exclude<LocationRefusal['code'], 'zones_not_of_location' | 'serial_taken'>;

/** The answer of a command that was not refused: the thing that it was about, as it stands afterwards. */
export interface LocationResults {
  readonly OpenLocation: Described<LocationDetails>;
  readonly ChangeLocation: Described<LocationDetails>;
  readonly AddZone: Described<ZoneState>;
  readonly ZoneUnit: Pick<UnitSurroundings, 'unit_id'>;
  readonly UnzoneUnit: Pick<UnitSurroundings, 'unit_id'>;
  readonly AddEntryPoint: Described<EntryPointState>;
  readonly ChangeEntryPoint: Described<EntryPointState>;
  readonly AddLock: Described<LockState>;
  readonly AttachLock: Described<LockState>;
  readonly DetachLock: Described<LockState>;
  /** In the order of the rows. */
  readonly SetUpUnits: readonly SetupOutcome[];
  readonly ProvisionLock: undefined;
  readonly ProvisionEntryPoint: undefined;
}

/** A thing without its past, and without the revisions, which are not known before the events are stored. */
export type Described<Thing> = Omit<
  Thing,
  'revision' | 'policy_revision' | 'set_at' | 'placements' | 'zone_stays'
>;
