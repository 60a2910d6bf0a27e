import type {
  AddEntryPoint,
  AddZone,
  ChangeEntryPoint,
  LocationRefusal,
  LocationResults,
  UnzoneUnit,
  ZoneUnit,
} from '../location.commands.js';
import type { LocationState } from '../location.state.js';
import { accept, differences, refuse } from './decision.js';
import type { LocationDecision } from './decision.js';

export function addZone(
  state: LocationState,
  { zone_id, name }: AddZone,
): LocationDecision<LocationResults['AddZone']> {
  const known = state.zones.get(zone_id);
  if (known !== undefined) return accept(known);
  const data = { zone_id, name };
  return accept({ ...data, location_id: state.details.location_id }, { type: 'ZoneAdded', data });
}

/** A zone opens the doors of one place, so only the units of that place can be in it. */
export function zoneUnit(
  state: LocationState,
  { zone_id, unit }: ZoneUnit,
  now: number,
): LocationDecision<LocationResults['ZoneUnit']> {
  if (state.zones.get(zone_id) === undefined) return refuse('zone_not_found');
  if (state.details.location_id !== unit.location_id) return refuse('unit_not_of_location');
  const { unit_id } = unit;
  if (isInZone(state, unit_id, zone_id)) return accept({ unit_id });
  return accept({ unit_id }, { type: 'UnitZoned', data: { zone_id, unit_id, at: now } });
}

export function unzoneUnit(
  state: LocationState,
  { zone_id, unit_id }: UnzoneUnit,
  now: number,
): LocationDecision<LocationResults['UnzoneUnit']> {
  if (state.zones.get(zone_id) === undefined) return refuse('zone_not_found');
  if (!isInZone(state, unit_id, zone_id)) return accept({ unit_id });
  return accept({ unit_id }, { type: 'UnitUnzoned', data: { zone_id, unit_id, at: now } });
}

export function addEntryPoint(
  state: LocationState,
  { entry_point_id, name, kind, zone_ids }: AddEntryPoint,
  now: number,
): LocationDecision<LocationResults['AddEntryPoint']> {
  const known = state.entry_points.get(entry_point_id);
  if (known !== undefined) return accept(known);
  const foreign = foreignZones(state, zone_ids);
  if (foreign !== undefined) return { rejected: foreign };
  const data = {
    entry_point_id,
    name,
    kind,
    zone_ids: [...new Set(zone_ids)],
    in_service: true,
  };
  return accept(
    { ...data, location_id: state.details.location_id },
    { type: 'EntryPointAdded', data: { ...data, at: now } },
  );
}

export function changeEntryPoint(
  state: LocationState,
  { entry_point_id, name, zone_ids, in_service }: ChangeEntryPoint,
  now: number,
): LocationDecision<LocationResults['ChangeEntryPoint']> {
  const entryPoint = state.entry_points.get(entry_point_id);
  if (entryPoint === undefined) return refuse('entry_point_not_found');
  const foreign = foreignZones(state, zone_ids ?? []);
  if (foreign !== undefined) return { rejected: foreign };
  const zones = zone_ids === undefined ? entryPoint.zone_ids : sameOr(entryPoint.zone_ids, zone_ids);
  const changed = differences(entryPoint, { name, zone_ids: zones, in_service });
  if (changed === undefined) return accept(entryPoint);
  return accept(
    { ...entryPoint, ...changed },
    { type: 'EntryPointChanged', data: { entry_point_id, ...changed, at: now } },
  );
}

/** The zones as they stand where the wanted ones are the same set: their order means nothing. */
function sameOr(standing: readonly string[], wanted: readonly string[]): readonly string[] {
  const set = new Set(wanted);
  const same = set.size === standing.length && standing.every((zone_id) => set.has(zone_id));
  return same ? standing : [...set];
}

function isInZone(state: LocationState, unit_id: string, zone_id: string): boolean {
  return state.units.get(unit_id)?.zone_ids.includes(zone_id) ?? false;
}

function foreignZones({ zones }: LocationState, zone_ids: readonly string[]): LocationRefusal | undefined {
  const indexes = zone_ids.flatMap((zone_id, index) => (zones.get(zone_id) === undefined ? index : []));
  return indexes.length === 0 ? undefined : { code: 'zones_not_of_location', indexes };
}
