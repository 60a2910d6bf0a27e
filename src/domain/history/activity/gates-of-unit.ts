import { Injectable } from '@nestjs/common';
import { LocationDirectory, sharesZone, zonesAt } from '#domain/locations/index.js';
import { hasUnit, type UnitDocument } from '#domain/units/index.js';
import { periodAt, type UnitPeriods } from '../core/periods.js';
import { UnitRecordReader } from '../unit-record.reader.js';

/** A gate that leads or led to a unit. */
export interface GateOfUnit {
  readonly entry_point_id: string;
  /** Whether the gate led to the unit at an instant (milliseconds), and the tenant had the unit then. */
  readonly ledTo: (tenant_id: string, at: number) => boolean;
}

const MOST_GATES = 20;
/** Of a unit with more events only the people of now are known. */
const MOST_EVENTS = 5_000;

/** Finds the gates of a unit, and whose taps there were on the way to it. */
@Injectable()
export class GatesOfUnit {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly reader: UnitRecordReader,
  ) {}

  /** Without gates that were removed. @throws StoreUnavailableError */
  async find(unit: UnitDocument): Promise<GateOfUnit[]> {
    const [location, [equipment]] = await Promise.all([
      this.locations.location(unit.location_id),
      this.locations.zonesAndLocks([unit.unit_id]),
    ]);
    if (location === undefined || equipment === undefined) return [];
    const zones = equipment.zone_stays.map(({ zone_id }) => zone_id);
    const gates = location.entry_points.filter(({ zone_stays }) =>
      sharesZone(
        zone_stays.map(({ zone_id }) => zone_id),
        zones,
      ),
    );
    if (gates.length === 0) return [];
    const periods = await this.#periodsOf(unit);
    return gates.slice(0, MOST_GATES).map((gate) => ({
      entry_point_id: gate.entry_point_id,
      ledTo: (tenant_id, at) => {
        const then = periodAt(periods, at)?.unit;
        const had = then !== undefined && hasUnit(then, tenant_id, at);
        return had && sharesZone(zonesAt(equipment, at), zonesAt(gate, at));
      },
    }));
  }

  async #periodsOf(unit: UnitDocument): Promise<UnitPeriods> {
    if (unit.revision >= MOST_EVENTS) return [{ from: -Infinity, unit }];
    const { events, states } = await this.reader.own(unit, () => false);
    return events.map(({ instant }, index) => ({ from: instant, unit: states[index]! }));
  }
}
