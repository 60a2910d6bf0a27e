import { Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import type { LowBattery } from '../../history/index.js';
import { LocationDirectory } from '../../locations/index.js';
import { UnitDirectory } from '../../units/index.js';

/** Describes low batteries, with the names of locks, entry points and units. */
@Injectable()
export class LowBatteryList {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
  ) {}

  /** @throws StoreUnavailableError */
  async of(batteries: readonly LowBattery[]) {
    const [names, units] = await Promise.all([
      this.locations.equipmentNames(batteries.map(placeOf)),
      this.units.byUnitIds(batteries.flatMap(({ unit_id }) => unit_id ?? [])),
    ]);
    const unitNames = new Map(units.map(({ unit_id, unit_name }) => [unit_id, unit_name]));
    return batteries.map((one) => {
      const { location_id, lock_id, entry_point_id, unit_id = null, battery_percent, reported_at } = one;
      return {
        ...{ location_id, lock_id, entry_point_id, unit_id, battery_percent },
        name: names.get(placeOf(one)) ?? null,
        unit_name: unitNames.get(unit_id ?? '') ?? null,
        reported_at: toTimestamp(reported_at),
      };
    });
  }
}

function placeOf({ lock_id, entry_point_id }: LowBattery): string {
  return entry_point_id ?? lock_id!;
}
