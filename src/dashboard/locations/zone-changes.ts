import { Injectable } from '@nestjs/common';
import { EquipmentAdministration, SiteSetup } from '#api/operator/index.js';
import { LocationDirectory, type Zone } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { ApiError } from '#kernel/errors/api-error.js';
import { derivedUlid } from '#kernel/derived-ulid.js';
import type { OperatorContext } from '#web/request-context.js';
import type { ListChange } from '../parts/initial-values.js';
import { findUnitsIn, unitsIn } from './typed-units.js';

type ZoneIds = Pick<Zone, 'zone_id' | 'location_id' | 'name'>;

interface GateOfZone {
  readonly zone_id: string;
  readonly entry_point_id: string;
}

/** Puts units into a zone by their names, takes them out, and leads gates to it. Every method throws ApiError, StoreUnavailableError. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly setup: SiteSetup,
    private readonly equipment: EquipmentAdministration,
  ) {}

  /** @param text as in {@link unitsIn}, of the units of the location */
  async addUnits({ location_id, name }: ZoneIds, text: string, context: OperatorContext) {
    const units = await findUnitsIn(text, { units: this.units, location_id });
    const unit_ids = units.map(({ unit_id }) => unit_id);
    return this.setup.zoneUnits(location_id, unit_ids, name, context);
  }

  /** @param text as in {@link unitsIn}, of the units in the zone */
  async takeOutUnits({ zone_id }: ZoneIds, text: string, context: OperatorContext): Promise<void> {
    const within = await this.locations.unitsInZone(zone_id);
    const units = await this.units.byUnitIds(within.map(({ _id }) => _id));
    for (const { unit_id } of unitsIn(text, units))
      await this.equipment.removeUnitFromZone(zone_id, unit_id, ownCommand(context, unit_id));
  }

  /** @param gates their ids. @returns how many of them were removed meanwhile: those are left out */
  leadGates({ zone_id }: ZoneIds, gates: ListChange, context: OperatorContext): Promise<number> {
    const pairOf = (entry_point_id: string) => ({ zone_id, entry_point_id });
    return this.#lead(gates, { pairOf, gone: 'entry_point_not_found' }, context);
  }

  /** @param zones their ids. @returns how many of them were removed meanwhile: those are left out */
  leadGate(entry_point_id: string, zones: ListChange, context: OperatorContext): Promise<number> {
    const pairOf = (zone_id: string) => ({ zone_id, entry_point_id });
    return this.#lead(zones, { pairOf, gone: 'zone_not_found' }, context);
  }

  /** Each is a command of its own. One that is gone stops none of the others: a form takes effect as a whole. */
  async #lead({ add, remove }: ListChange, { pairOf, gone }: Pairs, context: OperatorContext) {
    let left_out = 0;
    const write = async (id: string, command: LinkCommand) => {
      const { zone_id, entry_point_id } = pairOf(id);
      try {
        await command(zone_id, entry_point_id, ownCommand(context, id));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== gone) throw error;
        left_out += 1;
      }
    };
    for (const id of add) await write(id, (...link) => this.equipment.addEntryPointToZone(...link));
    for (const id of remove) await write(id, (...link) => this.equipment.removeEntryPointFromZone(...link));
    return left_out;
  }
}

interface Pairs {
  readonly pairOf: (id: string) => GateOfZone;
  /** The refusal that says that the one of an id is gone. Its counterpart on the page must be there. */
  readonly gone: 'entry_point_not_found' | 'zone_not_found';
}

type LinkCommand = (zone_id: string, entry_point_id: string, context: OperatorContext) => Promise<unknown>;

/** Several commands of one request each have an id of their own. */
function ownCommand(context: OperatorContext, id: string): OperatorContext {
  return { ...context, command_id: derivedUlid(context.command_id, id) };
}
