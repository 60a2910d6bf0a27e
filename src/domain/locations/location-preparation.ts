import { Injectable } from '@nestjs/common';
import { ulidsOf } from '#kernel/ids.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { BareRefusal, LocationCommand, SetupRow } from './core/location.commands.js';
import { LocationDirectory } from './location.directory.js';
import { UnitLookup } from './location.ports.js';
import type { StatedLocationCommand, StatedLocationCommandFields } from './stated-location-commands.js';

/** The command for the stream of its location, or why there is none. */
type PreparedLocation =
  | { readonly kind: 'prepared'; readonly location_id: string; readonly command: LocationCommand }
  | { readonly kind: 'rejected'; readonly refusal: { readonly code: BareRefusal } };

/** A command that names a zone, a lock or an entry point, and nothing else. */
type CommandOnThing = Exclude<
  StatedLocationCommand,
  | { readonly location_id: string }
  | { readonly type: 'ZoneUnit' | 'UnzoneUnit' | 'AttachLock' | 'DetachLock' | 'ReplaceLock' }
>;

/** Finds the location and the unit that a command names. */
@Injectable()
export class LocationPreparation {
  constructor(
    private readonly directory: LocationDirectory,
    private readonly units: UnitLookup,
  ) {}

  /** @param command_id becomes the id of a new thing. @throws StoreUnavailableError */
  async prepare(stated: StatedLocationCommand, command_id: string): Promise<PreparedLocation> {
    if ('location_id' in stated) return prepared(stated.location_id, commandAt(stated, command_id));
    switch (stated.type) {
      case 'ZoneUnit':
      case 'UnzoneUnit':
        return this.#prepareZoning(stated);
      case 'AttachLock':
      case 'DetachLock':
      case 'ReplaceLock':
        return this.#prepareMounting(stated, command_id);
      default:
        return this.#prepareOfThing(stated);
    }
  }

  async #prepareZoning(
    stated: Extract<StatedLocationCommand, { type: 'ZoneUnit' | 'UnzoneUnit' }>,
  ): Promise<PreparedLocation> {
    const { zone_id, unit_id } = stated;
    const [zone, unit] = await Promise.all([this.directory.zone(zone_id), this.#unit(unit_id)]);
    if (zone === undefined) return refused('zone_not_found');
    if (unit === undefined) return refused('unit_not_found');
    if (stated.type === 'UnzoneUnit') return prepared(zone.location_id, stated);
    return prepared(zone.location_id, { type: stated.type, zone_id, unit });
  }

  async #prepareOfThing(command: CommandOnThing): Promise<PreparedLocation> {
    if ('entry_point_id' in command) {
      const entryPoint = await this.directory.entryPoint(command.entry_point_id);
      return preparedFor(entryPoint, command, 'entry_point_not_found');
    }
    if ('lock_id' in command)
      return preparedFor(await this.directory.lock(command.lock_id), command, 'lock_not_found');
    return preparedFor(await this.directory.zone(command.zone_id), command, 'zone_not_found');
  }

  async #prepareMounting(
    stated: Extract<StatedLocationCommand, { type: 'AttachLock' | 'DetachLock' | 'ReplaceLock' }>,
    command_id: string,
  ): Promise<PreparedLocation> {
    const { lock_id, unit_id } = stated;
    const [lock, unit] = await Promise.all([this.directory.lock(lock_id), this.#unit(unit_id)]);
    if (unit === undefined) return refused('unit_not_found');
    if (lock === undefined) return refused('lock_not_found');
    if (stated.type === 'DetachLock') return prepared(lock.location_id, stated);
    if (stated.type === 'AttachLock') return prepared(lock.location_id, { type: stated.type, lock_id, unit });
    const by = stated.by.kind === 'known' ? stated.by : { ...stated.by, lock_id: command_id };
    return prepared(lock.location_id, { type: stated.type, lock_id, unit, by });
  }

  async #unit(unit_id: string): ReturnType<UnitLookup['unit']> {
    return isPossibleId(unit_id) ? this.units.unit(unit_id) : undefined;
  }
}

function commandAt(
  stated: Extract<StatedLocationCommand, { readonly location_id: string }>,
  command_id: string,
): LocationCommand {
  if (stated.type === 'OpenLocation') return stated;
  const { location_id, ...wanted } = stated;
  switch (wanted.type) {
    case 'ChangeLocation':
      return wanted;
    case 'AddZone':
      return { ...wanted, zone_id: command_id };
    case 'AddEntryPoint':
      return { ...wanted, entry_point_id: command_id };
    case 'AddLock':
      return { ...wanted, lock_id: command_id };
    case 'SetUpUnits':
      return { type: wanted.type, rows: setupRows({ location_id, rows: wanted.rows }, command_id) };
  }
}

function setupRows(
  { location_id, rows }: StatedLocationCommandFields['SetUpUnits'],
  command_id: string,
): SetupRow[] {
  const newId = ulidsOf(command_id);
  // Every row takes two ids, also one that is left out or adds nothing: a repeat may leave out others, and must add the same.
  const numbered = rows.map((row) => ({ row, zone_id: newId(), lock_id: newId() }));
  return numbered.flatMap(({ row, zone_id, lock_id }) => {
    if (row === undefined) return [];
    const { unit_id, zone, lock, serial } = row;
    const hasLock = lock !== undefined || serial !== undefined;
    return {
      unit: { unit_id, location_id },
      zone: zone === undefined ? undefined : { name: zone, new_id: zone_id },
      lock: hasLock ? { name: lock, serial, new_id: lock_id } : undefined,
    };
  });
}

function prepared(location_id: string, command: LocationCommand): PreparedLocation {
  return isPossibleId(location_id)
    ? { kind: 'prepared', location_id, command }
    : refused('location_not_found');
}

function preparedFor(
  thing: { readonly location_id: string } | undefined,
  command: CommandOnThing,
  missing: BareRefusal,
): PreparedLocation {
  return thing === undefined ? refused(missing) : prepared(thing.location_id, command);
}

function refused(code: BareRefusal): PreparedLocation {
  return { kind: 'rejected', refusal: { code } };
}
