import { Injectable } from '@nestjs/common';
import { timestampOrNull } from '#kernel/timestamp.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LocationDirectory, unitOfLockAt, zonesAt } from '#domain/locations/index.js';
import { KeyIssues } from '#domain/locks/index.js';
import type { UnitDocument } from '#domain/units/index.js';

/** Finds the locks, zones and keys of a unit at an instant. */
@Injectable()
export class UnitEquipmentAsOf {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly issues: KeyIssues,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * `keys` is null if the instant is too long ago: records of keys are deleted after some time.
   * @param at milliseconds, by the company's clock
   * @throws StoreUnavailableError
   */
  async readEquipment(unit: UnitDocument, at: number) {
    const [locks, zones, keys] = await Promise.all([
      this.#locks(unit.unit_id, at),
      this.#zones(unit.unit_id, at),
      this.#keys(unit, at),
    ]);
    return { locks, zones, keys };
  }

  async #locks(unit_id: string, at: number) {
    const locks = await this.locations.locksEverOnUnit(unit_id);
    const then = locks.filter((lock) => unitOfLockAt(lock, at) === unit_id);
    return then.map(({ lock_id, name, serial }) => ({ lock_id, name, serial }));
  }

  async #zones(unit_id: string, at: number) {
    const [zonesAndLocks] = await this.locations.zonesAndLocks([unit_id]);
    const ids = zonesAndLocks === undefined ? [] : zonesAt(zonesAndLocks, at);
    const names = await this.locations.equipmentNames(ids);
    return ids.map((zone_id) => ({ zone_id, name: names.get(zone_id) ?? null }));
  }

  async #keys({ unit_id, company_id }: UnitDocument, at: number) {
    const keys = await this.issues.heldForUnit(unit_id, at, await this.clocks.now(company_id));
    if (keys === undefined) return null;
    const names = await this.locations.equipmentNames(keys.map(({ lock_id }) => lock_id));
    return keys.map(({ lock_id, tenant_id, expires_at }) => ({
      name: names.get(lock_id) ?? null,
      tenant_id,
      expires_at: timestampOrNull(expires_at),
    }));
  }
}
