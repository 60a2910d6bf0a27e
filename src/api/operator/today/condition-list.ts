import { Injectable } from '@nestjs/common';
import { toTimestamp } from '#kernel/timestamp.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { type Condition, Conditions } from '#domain/locks/index.js';
import { UnitDirectory } from '#domain/units/index.js';

/** Lists low batteries and failures with the names of locks, entry points and units. Throws StoreUnavailableError. */
@Injectable()
export class ConditionList {
  constructor(
    private readonly conditions: Conditions,
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * All at locations that are seen are counted, and the first are described. Left out are locks on no unit, which were taken
   * off, and what was removed.
   */
  async lowBatteries(company_id: string, isSeen: (location_id: string) => boolean, limit: number) {
    const all = await this.conditions.lowBatteriesOf(company_id);
    const low = all.filter(({ location_id }) => isSeen(location_id));
    const [unitOf, gates] = await Promise.all([
      this.#unitsOf(low),
      this.locations.presentEntryPoints(low.flatMap(({ entry_point_id }) => entry_point_id ?? [])),
    ]);
    const inUse = low.filter(({ lock_id, entry_point_id }) =>
      lock_id === undefined ? gates.has(entry_point_id!) : unitOf.get(lock_id),
    );
    const first = await this.#described(inUse.slice(0, limit), unitOf);
    const described = first.map(({ percent, at, ...one }) => ({
      ...one,
      battery_percent: percent,
      reported_at: toTimestamp(at),
    }));
    return { batteries: inUse.length, first: described };
  }

  /**
   * All at locations that are seen are counted, and the first are described.
   * @param since milliseconds; failures that were recorded earlier are left out
   */
  async failures(company_id: string, since: number, isSeen: (location_id: string) => boolean, limit: number) {
    const all = await this.conditions.failuresOf(company_id, since);
    const failures = all.filter(({ location_id }) => isSeen(location_id));
    const newest = failures.slice(0, limit);
    const first = await this.#described(newest, await this.#unitsOf(newest));
    const described = first.map(({ at, recorded_at, ...one }) => ({
      ...one,
      occurred_at: toTimestamp(at),
      recorded_at: toTimestamp(recorded_at),
    }));
    return { failed: failures.length, first: described };
  }

  /** The unit that each lock is on, by lock id. */
  async #unitsOf(conditions: readonly Condition[]): Promise<ReadonlyMap<string, string | null>> {
    const locks = await this.locations.locks(conditions.flatMap(({ lock_id }) => lock_id ?? []));
    return new Map(locks.map(({ lock_id, unit_id }) => [lock_id, unit_id]));
  }

  async #described<C extends Condition>(
    conditions: readonly C[],
    unitOf: ReadonlyMap<string, string | null>,
  ) {
    const unitIds = conditions.map(({ lock_id = '' }) => unitOf.get(lock_id) ?? null);
    const [names, units] = await Promise.all([
      this.locations.equipmentNames(conditions.map(equipmentOf)),
      this.units.byUnitIds(unitIds.flatMap((unit_id) => unit_id ?? [])),
    ]);
    const unitNames = new Map(units.map(({ unit_id, unit_name }) => [unit_id, unit_name]));
    return conditions.map(({ company_id: _, ...one }, index) => ({
      ...one,
      name: names.get(equipmentOf(one)) ?? null,
      unit_id: unitIds[index]!,
      unit_name: unitNames.get(unitIds[index] ?? '') ?? null,
    }));
  }
}

function equipmentOf({ lock_id, entry_point_id }: Pick<Condition, 'lock_id' | 'entry_point_id'>): string {
  return entry_point_id ?? lock_id!;
}
