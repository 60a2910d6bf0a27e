import type { Calendar } from '../../access/core/decision.js';
import type { Access } from '../../access/core/policy.js';
import { type UnitEntryPoint, unitEntryPoints } from '../../access/core/unit-entry-points.js';
import type { LocationEvent } from '../../locations/core/location.events.js';
import {
  type EntryPointState,
  evolveLocationList,
  type LocationDetails,
  type LocationState,
} from '../../locations/core/location.state.js';
import type { UnitState } from '../../units/core/unit.state.js';
import type { Logged } from './unit-record.js';

/** A location, and the zones of one of its units. */
interface ShownLocation {
  readonly location: LocationDetails & { readonly entry_points: readonly EntryPointState[] };
  readonly zone_ids: readonly string[];
}

/**
 * The entry points of a unit at an instant (milliseconds), by the events of its location.
 * @param access of the unit at that instant
 */
export function entryPointsAsOf(
  location: readonly Logged<LocationEvent>[],
  { unit_id, round_the_clock }: Pick<UnitState, 'unit_id' | 'round_the_clock'>,
  access: Access,
  at: number,
  calendar: Calendar,
): UnitEntryPoint[] {
  const state = locationAt(location, at);
  if (state === undefined) return [];
  const zone_ids = state.units.get(unit_id)?.zone_ids ?? [];
  const gates = { details: state.details, entry_points: state.entry_points.values() };
  return unitEntryPoints({ access, round_the_clock, zone_ids }, gates, at, calendar);
}

/** A location at an instant (milliseconds). Undefined before it was opened. */
export function locationAt(events: readonly Logged<LocationEvent>[], at: number): LocationState | undefined {
  let state: LocationState | undefined;
  const evolve = evolveLocationList();
  for (const event of events) {
    if (event.instant > at) break;
    state = evolve(state, event, event.revision);
  }
  return state;
}

/** As {@link entryPointsAsOf}, by the view, for a location whose events somebody deleted. */
export function entryPointsAsShown(
  { location, zone_ids }: ShownLocation,
  { round_the_clock }: Pick<UnitState, 'round_the_clock'>,
  access: Access,
  at: number,
  calendar: Calendar,
): UnitEntryPoint[] {
  const gates = { details: location, entry_points: location.entry_points };
  return unitEntryPoints({ access, round_the_clock, zone_ids }, gates, at, calendar);
}
