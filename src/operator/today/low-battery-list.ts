import { Injectable } from '@nestjs/common';
import { toTimestamp } from '../../config/clock.js';
import { LocationDirectory } from '../../locations/index.js';
import { Batteries, type Battery } from '../../locks/index.js';
import { UnitDirectory } from '../../units/index.js';

/** Lists low batteries with the names of locks, entry points and units. A lock on no unit was taken off: it is left out. */
@Injectable()
export class LowBatteryList {
  constructor(
    private readonly batteries: Batteries,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
  ) {}

  /** All of them counted, and the first described. @throws StoreUnavailableError */
  async of(company_id: string, limit: number) {
    const low = await this.batteries.lowOf(company_id);
    const locks = await this.locations.locks(low.flatMap(({ lock_id }) => lock_id ?? []));
    const unitOf = new Map(locks.map(({ lock_id, unit_id }) => [lock_id, unit_id]));
    const inUse = low.filter(({ lock_id }) => lock_id === undefined || unitOf.get(lock_id));
    const first = inUse.slice(0, limit);
    return { batteries: inUse.length, first: await this.#described(first, unitOf) };
  }

  async #described(batteries: readonly Battery[], unitOf: ReadonlyMap<string, string | null>) {
    const unitIds = batteries.map(({ lock_id = '' }) => unitOf.get(lock_id) ?? null);
    const [names, units] = await Promise.all([
      this.locations.equipmentNames(batteries.map(placeOf)),
      this.units.byUnitIds(unitIds.flatMap((unit_id) => unit_id ?? [])),
    ]);
    const unitNames = new Map(units.map(({ unit_id, unit_name }) => [unit_id, unit_name]));
    return batteries.map((one, index) => {
      const { location_id, lock_id, entry_point_id, percent, at } = one;
      const unit_id = unitIds[index]!;
      return {
        ...{ location_id, lock_id, entry_point_id, unit_id },
        battery_percent: percent,
        name: names.get(placeOf(one)) ?? null,
        unit_name: unitNames.get(unit_id ?? '') ?? null,
        reported_at: toTimestamp(at),
      };
    });
  }
}

function placeOf({ lock_id, entry_point_id }: Battery): string {
  return entry_point_id ?? lock_id!;
}
