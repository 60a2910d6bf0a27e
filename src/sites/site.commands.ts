import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Ids } from '../config/ids.js';
import { IDS } from '../config/injection-tokens.js';
import type { WriteContext } from '../writing/stream-kind.js';
import { isPossibleId } from '../http/possible-id.js';
import type {
  AddEntryPoint,
  AddLocation,
  AddLock,
  ChangeEntryPoint,
  ChangeLocation,
  SiteCommand,
  SiteRefusal,
  SiteResults,
} from './core/site.commands.js';
import { SiteDirectory } from './site.directory.js';
import { UNIT_LOOKUP } from './site.ports.js';
import type { UnitLookup } from './site.ports.js';
import { WriteSiteCommand } from './write-site.command.js';
import type { SiteOutcome } from './write-site.command.js';

type Refused = Extract<SiteOutcome<never>, { kind: 'rejected' }>;
type Outcome<Type extends SiteCommand['type']> = Promise<SiteOutcome<SiteResults[Type]>>;

/**
 * Everything that may be done to companies and their sites. Each method finds the company that the named thing belongs
 * to, makes the id of what is new, and answers after the views show the change. A refusal is an outcome, not a throw.
 * @throws StoreUnavailableError, WriteContendedError from every method
 */
@Injectable()
export class SiteCommands {
  constructor(
    private readonly bus: CommandBus,
    private readonly directory: SiteDirectory,
    @Inject(UNIT_LOOKUP) private readonly units: UnitLookup,
    @Inject(IDS) private readonly ids: Ids,
  ) {}

  registerCompany(name: string, context: WriteContext): Outcome<'RegisterCompany'> {
    const company_id = this.ids.ulid();
    return this.#write(company_id, { type: 'RegisterCompany', company_id, name }, context);
  }

  issueApiToken(
    company_id: string,
    token_id: string,
    name: string,
    context: WriteContext,
  ): Outcome<'IssueApiToken'> {
    return this.#write(company_id, { type: 'IssueApiToken', token_id, name }, context);
  }

  revokeApiToken(company_id: string, token_id: string, context: WriteContext): Outcome<'RevokeApiToken'> {
    return this.#write(company_id, { type: 'RevokeApiToken', token_id }, context);
  }

  addLocation(
    company_id: string,
    wanted: Pick<AddLocation, 'pms_location_code' | 'name' | 'policy'>,
    context: WriteContext,
  ): Outcome<'AddLocation'> {
    return this.#write(company_id, { type: 'AddLocation', location_id: this.ids.ulid(), ...wanted }, context);
  }

  /** Where the policy changes, every unit of the location has been evaluated again when the promise resolves. */
  async changeLocation(
    location_id: string,
    wanted: Pick<ChangeLocation, 'name' | 'policy'>,
    context: WriteContext,
  ): Outcome<'ChangeLocation'> {
    const location = await this.directory.location(location_id);
    if (location === undefined) return refused('location_not_found');
    return this.#write(location.company_id, { type: 'ChangeLocation', location_id, ...wanted }, context);
  }

  async addZone(location_id: string, name: string, context: WriteContext): Outcome<'AddZone'> {
    const location = await this.directory.location(location_id);
    if (location === undefined) return refused('location_not_found');
    return this.#write(
      location.company_id,
      { type: 'AddZone', zone_id: this.ids.ulid(), location_id, name },
      context,
    );
  }

  async zoneUnit(zone_id: string, unit_id: string, context: WriteContext): Outcome<'ZoneUnit'> {
    const [zone, unit] = await Promise.all([this.directory.zone(zone_id), this.#unit(unit_id)]);
    if (zone === undefined) return refused('zone_not_found');
    if (unit === undefined) return refused('unit_not_found');
    return this.#write(zone.company_id, { type: 'ZoneUnit', zone_id, unit }, context);
  }

  async unzoneUnit(zone_id: string, unit_id: string, context: WriteContext): Outcome<'UnzoneUnit'> {
    const [zone, unit] = await Promise.all([this.directory.zone(zone_id), this.#unit(unit_id)]);
    if (zone === undefined) return refused('zone_not_found');
    if (unit === undefined) return refused('unit_not_found');
    return this.#write(zone.company_id, { type: 'UnzoneUnit', zone_id, unit_id }, context);
  }

  async addEntryPoint(
    location_id: string,
    wanted: Pick<AddEntryPoint, 'name' | 'kind' | 'zone_ids'>,
    context: WriteContext,
  ): Outcome<'AddEntryPoint'> {
    const location = await this.directory.location(location_id);
    if (location === undefined) return refused('location_not_found');
    const entry_point_id = this.ids.ulid();
    return this.#write(
      location.company_id,
      { type: 'AddEntryPoint', entry_point_id, location_id, ...wanted },
      context,
    );
  }

  async changeEntryPoint(
    entry_point_id: string,
    wanted: Pick<ChangeEntryPoint, 'name' | 'zone_ids' | 'in_service'>,
    context: WriteContext,
  ): Outcome<'ChangeEntryPoint'> {
    const entryPoint = await this.directory.entryPoint(entry_point_id);
    if (entryPoint === undefined) return refused('entry_point_not_found');
    return this.#write(
      entryPoint.company_id,
      { type: 'ChangeEntryPoint', entry_point_id, ...wanted },
      context,
    );
  }

  async addLock(
    location_id: string,
    wanted: Pick<AddLock, 'name' | 'serial'>,
    context: WriteContext,
  ): Outcome<'AddLock'> {
    const location = await this.directory.location(location_id);
    if (location === undefined) return refused('location_not_found');
    return this.#write(
      location.company_id,
      { type: 'AddLock', lock_id: this.ids.ulid(), location_id, ...wanted },
      context,
    );
  }

  async attachLock(lock_id: string, unit_id: string, context: WriteContext): Outcome<'AttachLock'> {
    const [lock, unit] = await Promise.all([this.directory.lock(lock_id), this.#unit(unit_id)]);
    if (unit === undefined) return refused('unit_not_found');
    if (lock === undefined) return refused('lock_not_found');
    return this.#write(lock.company_id, { type: 'AttachLock', lock_id, unit }, context);
  }

  async detachLock(lock_id: string, unit_id: string, context: WriteContext): Outcome<'DetachLock'> {
    const [lock, unit] = await Promise.all([this.directory.lock(lock_id), this.#unit(unit_id)]);
    if (unit === undefined) return refused('unit_not_found');
    if (lock === undefined) return refused('lock_not_found');
    return this.#write(lock.company_id, { type: 'DetachLock', lock_id, unit_id }, context);
  }

  async #unit(unit_id: string): ReturnType<UnitLookup['unit']> {
    return isPossibleId(unit_id) ? this.units.unit(unit_id) : undefined;
  }

  #write<One extends SiteCommand>(
    company_id: string,
    command: One,
    context: WriteContext,
  ): Promise<SiteOutcome<SiteResults[One['type']]>> {
    if (!isPossibleId(company_id)) return Promise.resolve(refused('company_not_found'));
    return this.bus.execute(new WriteSiteCommand<One>(company_id, command, context));
  }
}

function refused(code: Exclude<SiteRefusal['code'], 'zones_not_of_location'>): Refused {
  return { kind: 'rejected', refusal: { code } };
}
