import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks, CompanyCommands, type CompanyOutcome } from '../companies/index.js';
import { ulidsOf } from '../config/ids.js';
import { isPossibleId } from '../http/possible-id.js';
import { CommandRunner } from '../writing/command-runner.js';
import type { Outcome as OutcomeOf } from '../writing/command-run.js';
import type { WriteContext } from '../writing/write-context.js';
import type {
  LocationCommand,
  LocationCommandFields,
  BareRefusal,
  LocationRefusal,
  LocationResults,
  OpenLocation,
} from './core/location.commands.js';
import { locationStream } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';
import { LocationDirectory } from './location.directory.js';
import { UNIT_LOOKUP } from './location.ports.js';
import type { UnitLookup } from './location.ports.js';
import { LocationProjector } from './location.projector.js';

/** The outcome of a command on a location. All views show it already. */
export type LocationOutcome<Result> = OutcomeOf<LocationState, Result, LocationRefusal>;

type Refused = Extract<LocationOutcome<never>, { kind: 'rejected' }>;
type Outcome<Type extends LocationCommand['type']> = Promise<LocationOutcome<LocationResults[Type]>>;

/** The wanted zone and lock of a unit. At least one of zone, lock and serial number is given. */
interface WantedSetup {
  readonly unit_id: string;
  /** The name of a zone. */
  readonly zone?: string | undefined;
  /** The name of a lock. */
  readonly lock?: string | undefined;
  readonly serial?: string | undefined;
}

/**
 * All commands on locations. Each method answers after the views show the change. A new thing gets the command's id, so
 * that a repeat of the command has the same id. Refusals are outcomes, not exceptions.
 * @throws StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class LocationCommands {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: LocationProjector,
    private readonly companies: CompanyCommands,
    private readonly clocks: CompanyClocks,
    private readonly directory: LocationDirectory,
    @Inject(UNIT_LOOKUP) private readonly units: UnitLookup,
  ) {}

  /**
   * Reserves the code in the company's stream, which makes it unique, and then opens the location that has the code. If
   * an earlier request reserved the code but did not open its location, this request opens that location.
   */
  async addLocation(
    company_id: string,
    { pms_location_code, ...wanted }: Pick<OpenLocation, 'pms_location_code' | 'name' | 'policy'>,
    context: WriteContext,
  ): Promise<LocationOutcome<LocationResults['OpenLocation']> | CompanyOutcome<never>> {
    const added = await this.companies.addLocation(
      company_id,
      context.command_id,
      pms_location_code,
      context,
    );
    if (added.kind === 'rejected') return added;
    const { location_id } = added.result;
    const opening = { type: 'OpenLocation', location_id, company_id, pms_location_code, ...wanted } as const;
    return this.#write(location_id, opening, context);
  }

  /** After a change of policy, all units of the location are decided again before the promise resolves. */
  changeLocation(
    location_id: string,
    wanted: Pick<LocationCommandFields['ChangeLocation'], 'name' | 'policy'>,
    context: WriteContext,
  ): Outcome<'ChangeLocation'> {
    return this.#write(location_id, { type: 'ChangeLocation', ...wanted }, context);
  }

  addZone(location_id: string, name: string, context: WriteContext): Outcome<'AddZone'> {
    return this.#write(location_id, { type: 'AddZone', zone_id: context.command_id, name }, context);
  }

  async zoneUnit(zone_id: string, unit_id: string, context: WriteContext): Outcome<'ZoneUnit'> {
    const [zone, unit] = await Promise.all([this.directory.zone(zone_id), this.#unit(unit_id)]);
    if (zone === undefined) return refused('zone_not_found');
    if (unit === undefined) return refused('unit_not_found');
    return this.#write(zone.location_id, { type: 'ZoneUnit', zone_id, unit }, context);
  }

  async unzoneUnit(zone_id: string, unit_id: string, context: WriteContext): Outcome<'UnzoneUnit'> {
    const [zone, unit] = await Promise.all([this.directory.zone(zone_id), this.#unit(unit_id)]);
    if (zone === undefined) return refused('zone_not_found');
    if (unit === undefined) return refused('unit_not_found');
    return this.#write(zone.location_id, { type: 'UnzoneUnit', zone_id, unit_id }, context);
  }

  addEntryPoint(
    location_id: string,
    wanted: Pick<LocationCommandFields['AddEntryPoint'], 'name' | 'kind' | 'zone_ids'>,
    context: WriteContext,
  ): Outcome<'AddEntryPoint'> {
    const entry_point_id = context.command_id;
    return this.#write(location_id, { type: 'AddEntryPoint', entry_point_id, ...wanted }, context);
  }

  async changeEntryPoint(
    entry_point_id: string,
    wanted: Pick<LocationCommandFields['ChangeEntryPoint'], 'name' | 'zone_ids' | 'in_service'>,
    context: WriteContext,
  ): Outcome<'ChangeEntryPoint'> {
    const entryPoint = await this.directory.entryPoint(entry_point_id);
    if (entryPoint === undefined) return refused('entry_point_not_found');
    return this.#write(
      entryPoint.location_id,
      { type: 'ChangeEntryPoint', entry_point_id, ...wanted },
      context,
    );
  }

  addLock(
    location_id: string,
    wanted: Pick<LocationCommandFields['AddLock'], 'name' | 'serial'>,
    context: WriteContext,
  ): Outcome<'AddLock'> {
    return this.#write(location_id, { type: 'AddLock', lock_id: context.command_id, ...wanted }, context);
  }

  async attachLock(lock_id: string, unit_id: string, context: WriteContext): Outcome<'AttachLock'> {
    const [lock, unit] = await Promise.all([this.directory.lock(lock_id), this.#unit(unit_id)]);
    if (unit === undefined) return refused('unit_not_found');
    if (lock === undefined) return refused('lock_not_found');
    return this.#write(lock.location_id, { type: 'AttachLock', lock_id, unit }, context);
  }

  async detachLock(lock_id: string, unit_id: string, context: WriteContext): Outcome<'DetachLock'> {
    const [lock, unit] = await Promise.all([this.directory.lock(lock_id), this.#unit(unit_id)]);
    if (unit === undefined) return refused('unit_not_found');
    if (lock === undefined) return refused('lock_not_found');
    return this.#write(lock.location_id, { type: 'DetachLock', lock_id, unit_id }, context);
  }

  /**
   * Puts units of a location into zones and locks on them. Each row is accepted or refused independently.
   * @param rows undefined for a row that was refused before. New ids go by position, so that a repeat makes the same.
   * @param dryRun true: decides, but stores nothing
   */
  setUpUnits(
    location_id: string,
    rows: readonly (WantedSetup | undefined)[],
    context: WriteContext,
    dryRun: boolean,
  ): Outcome<'SetUpUnits'> {
    const newId = ulidsOf(context.command_id);
    const command = {
      type: 'SetUpUnits',
      rows: rows.flatMap((row) => {
        const [newZone, newLock] = [newId(), newId()];
        if (row === undefined) return [];
        const { unit_id, zone, lock, serial } = row;
        const hasLock = lock !== undefined || serial !== undefined;
        return {
          unit: { unit_id, location_id },
          zone: zone === undefined ? undefined : { name: zone, new_id: newZone },
          lock: hasLock ? { name: lock, serial, new_id: newLock } : undefined,
        };
      }),
    } as const;
    return this.#write(location_id, command, context, dryRun);
  }

  async provisionLock(lock_id: string, context: WriteContext): Outcome<'ProvisionLock'> {
    const lock = await this.directory.lock(lock_id);
    if (lock === undefined) return refused('lock_not_found');
    return this.#write(lock.location_id, { type: 'ProvisionLock', lock_id }, context);
  }

  async provisionEntryPoint(entry_point_id: string, context: WriteContext): Outcome<'ProvisionEntryPoint'> {
    const entryPoint = await this.directory.entryPoint(entry_point_id);
    if (entryPoint === undefined) return refused('entry_point_not_found');
    return this.#write(entryPoint.location_id, { type: 'ProvisionEntryPoint', entry_point_id }, context);
  }

  async #unit(unit_id: string): ReturnType<UnitLookup['unit']> {
    return isPossibleId(unit_id) ? this.units.unit(unit_id) : undefined;
  }

  async #write<One extends LocationCommand>(
    location_id: string,
    command: One,
    context: WriteContext,
    dryRun = false,
  ): Promise<LocationOutcome<LocationResults[One['type']]>> {
    if (!isPossibleId(location_id)) return refused('location_not_found');
    const company_id = await this.#companyOf(location_id, command);
    const clock = company_id === undefined ? ('world' as const) : await this.clocks.of(company_id);
    const { projector } = this;
    const kind = { aggregate: LOCATION, states: projector.states, projector };
    const prepare = () => ({ clock, commands: [{ command }] });
    const run = { ...kind, streams: [locationStream(location_id)], prepare };
    const [outcome] = await this.runner.run(run, context, dryRun);
    return outcome as LocationOutcome<LocationResults[One['type']]>;
  }

  /** A location never changes its company, so a cached document is good enough. */
  async #companyOf(location_id: string, command: LocationCommand): Promise<string | undefined> {
    if (command.type === 'OpenLocation') return command.company_id;
    const [location] = await this.directory.cachedLocations([location_id]);
    return location?.company_id;
  }
}

function refused(code: BareRefusal): Refused {
  return { kind: 'rejected', refusal: { code } };
}
