import { Injectable } from '@nestjs/common';
import { EquipmentAdministration, SiteSetup } from '#api/operator/index.js';
import { LocationDirectory, type Zone } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
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

  /** @param gates their ids */
  leadGates({ zone_id }: ZoneIds, gates: ListChange, context: OperatorContext): Promise<void> {
    return this.#lead(gates, (entry_point_id) => ({ zone_id, entry_point_id }), context);
  }

  /** @param zones their ids */
  leadGate(entry_point_id: string, zones: ListChange, context: OperatorContext): Promise<void> {
    return this.#lead(zones, (zone_id) => ({ zone_id, entry_point_id }), context);
  }

  async #lead({ add, remove }: ListChange, pairOf: (id: string) => GateOfZone, context: OperatorContext) {
    for (const id of add) {
      const { zone_id, entry_point_id } = pairOf(id);
      await this.equipment.addEntryPointToZone(zone_id, entry_point_id, ownCommand(context, id));
    }
    for (const id of remove) {
      const { zone_id, entry_point_id } = pairOf(id);
      await this.equipment.removeEntryPointFromZone(zone_id, entry_point_id, ownCommand(context, id));
    }
  }
}

/** Several commands of one request each have an id of their own. */
function ownCommand(context: OperatorContext, id: string): OperatorContext {
  return { ...context, command_id: derivedUlid(context.command_id, id) };
}
