import { Injectable } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import {
  ActivityHistory,
  type ActivityPage,
  type ActivityRange,
  DeniedOpenings,
  forIntegrators,
} from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import type { ActivityQuery } from './history.dto.js';

/** The reports of units, locks and entry points. They are kept after the move-out (specification §2.1). */
@Injectable()
export class ActivityReads {
  constructor(
    private readonly units: UnitDirectory,
    private readonly locations: LocationDirectory,
    private readonly activity: ActivityHistory,
    private readonly denials: DeniedOpenings,
  ) {}

  /** @throws ApiError 404 */
  async listForIntegrator(company_id: string, key: string, query: ActivityQuery) {
    const unit = await this.units.byPathKey(company_id, key);
    if (unit === undefined) throw errorOf('unit_not_found');
    const { entries, next_cursor } = await this.activity.listOfUnit(unit.unit_id, rangeOf(query));
    return { entries: entries.map(forIntegrators), next_cursor };
  }

  /** @throws ApiError 404 */
  async listOfUnit(unit_id: string, query: ActivityQuery) {
    const unit = isPossibleId(unit_id) ? await this.units.byUnitId(unit_id) : undefined;
    if (unit === undefined) throw errorOf('unit_not_found');
    return this.#markDenied(unit, await this.activity.listOfUnit(unit_id, rangeOf(query)));
  }

  /** @throws ApiError 404 */
  async listOfLock(lock_id: string, query: ActivityQuery) {
    const lock = await this.locations.lock(lock_id);
    if (lock === undefined) throw errorOf('lock_not_found');
    return this.#markDenied(lock, await this.activity.listOfLock(lock_id, rangeOf(query)));
  }

  /** @throws ApiError 404 */
  async listOfEntryPoint(entry_point_id: string, query: ActivityQuery) {
    const entryPoint = await this.locations.entryPoint(entry_point_id);
    if (entryPoint === undefined) throw errorOf('entry_point_not_found');
    return this.#markDenied(entryPoint, await this.activity.listOfEntryPoint(entry_point_id, rangeOf(query)));
  }

  /** Says of each opening whether the tenant was denied then. */
  async #markDenied(
    { location_id }: { readonly location_id: string },
    { entries, next_cursor }: ActivityPage,
  ) {
    return { entries: await this.denials.mark(entries, () => location_id), next_cursor };
  }
}

function rangeOf({ cursor, limit = USUAL_PAGE, from, to }: ActivityQuery): ActivityRange {
  return { cursor, limit, from: instantOf(from), to: instantOf(to) };
}

function instantOf(timestamp: string | undefined): number | undefined {
  return timestamp === undefined ? undefined : parseTimestamp(timestamp);
}
