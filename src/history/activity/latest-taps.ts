import { Injectable } from '@nestjs/common';
import type { EntryPoint, LocationDocument } from '../../locations/index.js';
import type { TenantAccount } from '../../tenants/index.js';
import type { UnitDocument } from '../../units/index.js';
import { ActivityHistory, type ActivityRange } from './activity-history.js';
import type { ActivityEntry } from './activity.presenter.js';
import { DeniedOpenings } from './denied-openings.js';

/** The newest reports that are searched for those of one tenant. Everybody's are at a gate. */
const SEARCHED = { unit: { limit: 20 }, gate: { limit: 100 } } as const;
/** Units and gates that are searched. */
const MOST_PLACES = 20;

/** Taps in the order in which they happened, the newest first, with the units of openings while denied. Throws StoreUnavailableError. */
@Injectable()
export class LatestTaps {
  constructor(
    private readonly activity: ActivityHistory,
    private readonly denials: DeniedOpenings,
  ) {}

  /** A page of those at the locks of a unit. @throws InvalidCursorError */
  async ofUnit(
    { unit_id, location_id }: Pick<UnitDocument, 'unit_id' | 'location_id'>,
    range: Pick<ActivityRange, 'cursor' | 'limit'>,
  ) {
    const { entries, next_cursor } = await this.activity.ofUnitByHappening(unit_id, range);
    return { entries: await this.denials.mark(location_id, entries), next_cursor };
  }

  /** The newest at an entry point; empty if nobody tapped there. */
  async newestAt(entryPoint: Pick<EntryPoint, 'entry_point_id' | 'location_id'>): Promise<ActivityEntry[]> {
    const newest = await this.activity.newestOfEntryPoint(entryPoint.entry_point_id);
    return this.denials.mark(entryPoint.location_id, newest);
  }

  /** At most `limit` of a tenant at the locks of these units and at the entry points of the location. */
  async ofTenant(
    { tenant_id }: Pick<TenantAccount, 'tenant_id'>,
    unit_ids: readonly string[],
    { _id, entry_points }: Pick<LocationDocument, '_id' | 'entry_points'>,
    limit: number,
  ): Promise<ActivityEntry[]> {
    const pages = await Promise.all([
      ...unit_ids.slice(0, MOST_PLACES).map((unit_id) => this.activity.ofUnit(unit_id, SEARCHED.unit)),
      ...entry_points
        .slice(0, MOST_PLACES)
        .map(({ entry_point_id }) => this.activity.ofEntryPoint(entry_point_id, SEARCHED.gate)),
    ]);
    const own = pages.flatMap(({ entries }) => entries.filter((one) => one.tenant_id === tenant_id));
    own.sort((one, other) => happened(other).localeCompare(happened(one)));
    return this.denials.mark(_id, own.slice(0, limit));
  }
}

/** ISO 8601; never after the report arrived. */
function happened({ occurred_at, recorded_at }: ActivityEntry): string {
  return occurred_at < recorded_at ? occurred_at : recorded_at;
}
