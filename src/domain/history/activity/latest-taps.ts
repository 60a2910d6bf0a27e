import { Injectable } from '@nestjs/common';
import type { LocationDocument } from '#domain/locations/index.js';
import type { TenantAccount } from '#domain/tenants/index.js';
import type { UnitDocument } from '#domain/units/index.js';
import { ActivityHistory, type ActivityPage, type ActivityRange } from './activity-history.js';
import type { ActivityEntry } from './activity.presenter.js';
import { DeniedOpenings } from './denied-openings.js';
import { GatesOfUnit } from './gates-of-unit.js';

/** Units and gates that are searched. */
const MOST_PLACES = 20;

/** Taps, the newest first, with the units of openings while denied. Throws StoreUnavailableError. */
@Injectable()
export class LatestTaps {
  constructor(
    private readonly activity: ActivityHistory,
    private readonly denials: DeniedOpenings,
    private readonly gates: GatesOfUnit,
  ) {}

  /** A page of those at the locks of a unit, and of those by its people at gates that lead to it. @throws InvalidCursorError */
  async listOfUnit(unit: UnitDocument, range: Pick<ActivityRange, 'cursor' | 'limit'>) {
    const gates = await this.gates.find(unit);
    return this.#mark(unit, await this.activity.listOfUnitByHappening(unit.unit_id, range, gates));
  }

  /** The same, all of them, in the order in which they were reported. @throws InvalidCursorError */
  async listOfUnitAsReported(unit: UnitDocument, range: Pick<ActivityRange, 'cursor' | 'limit'>) {
    const gates = await this.gates.find(unit);
    return this.#mark(unit, await this.activity.listOfUnit(unit.unit_id, range, gates));
  }

  async #mark({ location_id }: UnitDocument, { entries, next_cursor }: ActivityPage) {
    return { entries: await this.denials.mark(entries, () => location_id), next_cursor };
  }

  /** At most `limit` of a tenant at the locks of these units and at the entry points of the location. */
  async listOfTenant(
    { tenant_id }: Pick<TenantAccount, 'tenant_id'>,
    unit_ids: readonly string[],
    { _id, entry_points }: Pick<LocationDocument, '_id' | 'entry_points'>,
    limit: number,
  ): Promise<ActivityEntry[]> {
    const places = {
      unit_ids: unit_ids.slice(0, MOST_PLACES),
      entry_point_ids: entry_points.slice(0, MOST_PLACES).map(({ entry_point_id }) => entry_point_id),
    };
    return this.denials.mark(await this.activity.listOfTenant(tenant_id, places, limit), () => _id);
  }
}
