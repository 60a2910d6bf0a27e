import type { CommandOf } from '#eventsourcing/writing/aggregate.js';
import type { LocationCommandFields as Fields, ReplacingLock } from './core/location.commands.js';

interface AtLocation {
  readonly location_id: string;
}

/** The wanted zone and lock of a unit. At least one of zone, lock and serial number is given. */
export interface WantedSetup {
  readonly unit_id: string;
  /** The name of a zone. */
  readonly zone?: string | undefined;
  /** The name of a lock. */
  readonly lock?: string | undefined;
  readonly serial?: string | undefined;
}

/**
 * The fields of each command as callers state them, by its type. `LocationPreparation` finds the location and the unit, and
 * gives a new thing the command's id, so that a repeat of the command has the same id.
 */
export interface StatedLocationCommandFields {
  readonly OpenLocation: Fields['OpenLocation'];
  readonly ChangeLocation: AtLocation & Fields['ChangeLocation'];
  readonly AddZone: AtLocation & Pick<Fields['AddZone'], 'name'>;
  readonly RenameZone: Fields['RenameZone'];
  readonly RemoveZone: Fields['RemoveZone'];
  readonly ZoneUnit: { readonly zone_id: string; readonly unit_id: string };
  readonly UnzoneUnit: Fields['UnzoneUnit'];
  readonly AddEntryPoint: AtLocation & Omit<Fields['AddEntryPoint'], 'entry_point_id' | 'at_cap'>;
  readonly ChangeEntryPoint: Fields['ChangeEntryPoint'];
  readonly ZoneEntryPoint: Fields['ZoneEntryPoint'];
  readonly UnzoneEntryPoint: Fields['UnzoneEntryPoint'];
  readonly RemoveEntryPoint: Fields['RemoveEntryPoint'];
  readonly AddLock: AtLocation & Omit<Fields['AddLock'], 'lock_id'>;
  readonly ChangeLock: Fields['ChangeLock'];
  readonly RemoveLock: Fields['RemoveLock'];
  readonly AttachLock: { readonly lock_id: string; readonly unit_id: string };
  readonly DetachLock: Fields['DetachLock'];
  readonly ReplaceLock: { readonly lock_id: string; readonly unit_id: string; readonly by: ReplacingLock };
  readonly SetUpUnits: AtLocation & {
    /** undefined: a row that was refused before. New ids go by position, so that a repeat makes the same. */
    readonly rows: readonly (WantedSetup | undefined)[];
  };
  readonly ProvisionLock: Fields['ProvisionLock'];
  readonly ProvisionEntryPoint: Fields['ProvisionEntryPoint'];
}

export type StatedLocationCommand = CommandOf<StatedLocationCommandFields>;
