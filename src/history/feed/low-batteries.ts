import { type ActivityReported, happenedAt, LOW_BATTERY } from '../../locks/index.js';

/** The newest report of a battery that is low. */
export interface LowBattery {
  readonly location_id: string;
  readonly lock_id?: string;
  readonly entry_point_id?: string;
  /** The unit that the lock was on. */
  readonly unit_id?: string | null;
  readonly battery_percent: number;
  /** Milliseconds. */
  readonly reported_at: number;
}

/** The locks and entry points whose newest report of a battery says that it is low, the lowest first. */
export function lowBatteries(reports: readonly ActivityReported[]): LowBattery[] {
  const newest = new Map<string, LowBattery>();
  for (const { data } of reports) {
    const { location_id, battery_percent } = data;
    if (battery_percent === null) continue;
    const [id, place] =
      'lock_id' in data
        ? [data.lock_id, { lock_id: data.lock_id, unit_id: data.unit_id }]
        : [data.entry_point_id, { entry_point_id: data.entry_point_id }];
    const reported_at = happenedAt(data);
    const known = newest.get(id);
    if (known === undefined || known.reported_at < reported_at)
      newest.set(id, { location_id, ...place, battery_percent, reported_at });
  }
  return [...newest.values()]
    .filter(({ battery_percent }) => battery_percent < LOW_BATTERY)
    .sort((one, other) => one.battery_percent - other.battery_percent);
}
