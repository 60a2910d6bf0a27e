import { ALWAYS, type Passage, passageAt } from '../../locations/core/hours/passage.js';
import type { LocationDetails, EntryPointState } from '../../locations/core/location.state.js';
import { sharesZone } from '../../locations/core/shares-zone.js';
import type { Calendar } from './calendar-date.js';
import type { Access } from './policy.js';
import { decideEntryPoint, type EntryPointDecision } from './entry-point.js';
import { isOpen } from './policy.js';

/** An entry point to a unit's zones, as this unit alone opens it. */
export interface UnitEntryPoint extends EntryPointDecision {
  readonly entry_point_id: string;
}

interface UnitAtGate {
  readonly access: Access;
  readonly round_the_clock: boolean;
}

interface UnitAtGates extends UnitAtGate {
  readonly zone_ids: readonly string[];
}

type HoursOfLocation = Pick<LocationDetails, 'access_hours' | 'policy'>;

interface GatesOfLocation {
  readonly details: HoursOfLocation;
  readonly entry_points: Iterable<EntryPointState>;
}

interface GateOfLocation {
  readonly details: HoursOfLocation;
  readonly entry_point: Pick<EntryPointState, 'in_service' | 'hours'>;
}

/** @param at milliseconds */
export function unitEntryPoints(
  { zone_ids, ...unit }: UnitAtGates,
  { details, entry_points }: GatesOfLocation,
  at: number,
  clock: Calendar,
): UnitEntryPoint[] {
  const passage = passageOf(unit, details, at, clock);
  return [...entry_points]
    .filter((one) => sharesZone(zone_ids, one.zone_ids))
    .map((one) => ({ entry_point_id: one.entry_point_id, ...decideAt(one, unit, passage) }));
}

/** An entry point as one unit opens it that is in one of its zones. @param at milliseconds */
export function unitAtEntryPoint(
  unit: UnitAtGate,
  { details, entry_point }: GateOfLocation,
  at: number,
  clock: Calendar,
): EntryPointDecision {
  return decideAt(entry_point, unit, passageOf(unit, details, at, clock));
}

function passageOf(
  { round_the_clock }: UnitAtGate,
  { access_hours, policy: { timezone } }: HoursOfLocation,
  at: number,
  clock: Calendar,
): Passage {
  return access_hours === null || round_the_clock
    ? ALWAYS
    : passageAt({ hours: access_hours, timezone, clock }, at);
}

function decideAt(
  { in_service, hours }: GateOfLocation['entry_point'],
  { access }: UnitAtGate,
  passage: Passage,
): EntryPointDecision {
  const isOpenedByUnit = isOpen(access);
  return decideEntryPoint({ in_service, isOpenedByUnit, passage: hours === 'always' ? ALWAYS : passage });
}
