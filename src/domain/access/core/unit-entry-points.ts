import { ALWAYS, passageAt } from '../../locations/core/hours/passage.js';
import type { LocationDetails, EntryPointState } from '../../locations/core/location.state.js';
import type { Calendar } from './calendar-date.js';
import type { Access } from './policy.js';
import { decideEntryPoint, type EntryPointDecision } from './entry-point.js';
import { isOpen } from './policy.js';

/** An entry point to a unit's zones, as this unit alone opens it. */
export interface UnitEntryPoint extends EntryPointDecision {
  readonly entry_point_id: string;
}

interface UnitAtGates {
  readonly access: Access;
  readonly round_the_clock: boolean;
  readonly zone_ids: readonly string[];
}

interface GatesOfLocation {
  readonly details: Pick<LocationDetails, 'access_hours' | 'policy'>;
  readonly entry_points: Iterable<EntryPointState>;
}

/** @param at milliseconds */
export function unitEntryPoints(
  { access, round_the_clock, zone_ids }: UnitAtGates,
  { details: { access_hours, policy }, entry_points }: GatesOfLocation,
  at: number,
  clock: Calendar,
): UnitEntryPoint[] {
  const passage =
    access_hours === null || round_the_clock
      ? ALWAYS
      : passageAt({ hours: access_hours, timezone: policy.timezone, clock }, at);
  return [...entry_points]
    .filter((one) => one.zone_ids.some((zone_id) => zone_ids.includes(zone_id)))
    .map(({ entry_point_id, in_service, hours }) => ({
      entry_point_id,
      ...decideEntryPoint({
        in_service,
        isOpenedByUnit: isOpen(access),
        passage: hours === 'always' ? ALWAYS : passage,
      }),
    }));
}
