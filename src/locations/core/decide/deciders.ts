import type { CommandOf } from '../../../writing/aggregate.js';
import type { LocationCommandFields, LocationRefusal, LocationResults } from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';
import type { LocationState, LockState } from '../location.state.js';
import { accept, differences, type LocationDecision, refuse } from './decision.js';

/** Decides each command on an existing location. Set-up commands are decided in setup.ts. */
export const DECIDERS: {
  readonly [Type in Exclude<keyof LocationCommandFields, 'OpenLocation' | 'SetUpUnits'>]: (
    state: LocationState,
    command: CommandOf<LocationCommandFields, Type>,
    now: number,
  ) => LocationDecision<LocationResults[Type]>;
} = {
  ChangeLocation({ details }, command) {
    const name = command.name ?? details.name;
    const policyChange = differences(details.policy, command.policy ?? {});
    const policy = { ...details.policy, ...policyChange };
    const events: LocationEvent[] = [];
    if (name !== details.name) events.push({ type: 'LocationRenamed', data: { name } });
    if (policyChange !== undefined) events.push({ type: 'LocationPolicyChanged', data: { policy } });
    return accept({ ...details, name, policy }, ...events);
  },
  AddZone(state, { zone_id, name }) {
    const known = state.zones.get(zone_id);
    if (known !== undefined) return accept(known);
    const data = { zone_id, name };
    return accept({ ...data, location_id: state.details.location_id }, { type: 'ZoneAdded', data });
  },
  ZoneUnit(state, { zone_id, unit }, now) {
    if (state.zones.get(zone_id) === undefined) return refuse('zone_not_found');
    if (state.details.location_id !== unit.location_id) return refuse('unit_not_of_location');
    const { unit_id } = unit;
    if (isInZone(state, unit_id, zone_id)) return accept({ unit_id });
    return accept({ unit_id }, { type: 'UnitZoned', data: { zone_id, unit_id, at: now } });
  },
  UnzoneUnit(state, { zone_id, unit_id }, now) {
    if (state.zones.get(zone_id) === undefined) return refuse('zone_not_found');
    if (!isInZone(state, unit_id, zone_id)) return accept({ unit_id });
    return accept({ unit_id }, { type: 'UnitUnzoned', data: { zone_id, unit_id, at: now } });
  },
  AddEntryPoint(state, { entry_point_id, name, kind, zone_ids }, now) {
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
  },
  ChangeEntryPoint(state, { entry_point_id, name, zone_ids, in_service }, now) {
    const entryPoint = state.entry_points.get(entry_point_id);
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    const foreign = foreignZones(state, zone_ids ?? []);
    if (foreign !== undefined) return { rejected: foreign };
    const zones = zone_ids === undefined ? entryPoint.zone_ids : currentIfSame(entryPoint.zone_ids, zone_ids);
    const changed = differences(entryPoint, { name, zone_ids: zones, in_service });
    if (changed === undefined) return accept(entryPoint);
    return accept(
      { ...entryPoint, ...changed },
      { type: 'EntryPointChanged', data: { entry_point_id, ...changed, at: now } },
    );
  },
  AddLock(state, command) {
    const { lock_id, serial } = command;
    const isNew = serial !== null && state.locks.get(lock_id) === undefined;
    const holder = isNew ? lockOfSerial(state, serial) : undefined;
    if (holder !== undefined) return { rejected: { code: 'serial_taken', lock: holder.name } };
    return addLock(state, command);
  },
  /** A lock is on one unit at a time: it must be detached before it is attached to another. */
  AttachLock(state, { lock_id, unit }, now) {
    const lock = state.locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    if (state.details.location_id !== unit.location_id) return refuse('unit_not_of_location');
    const { unit_id } = unit;
    if (lock.unit_id === unit_id) return accept(lock);
    if (lock.unit_id !== null) return refuse('lock_on_another_unit');
    return accept({ ...lock, unit_id }, { type: 'LockAttached', data: { lock_id, unit_id, at: now } });
  },
  DetachLock(state, { lock_id, unit_id }, now) {
    const lock = state.locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    if (lock.unit_id === null) return accept(lock);
    if (lock.unit_id !== unit_id) return refuse('lock_on_another_unit');
    return accept({ ...lock, unit_id: null }, { type: 'LockDetached', data: { lock_id, unit_id, at: now } });
  },
  ProvisionLock(state, { lock_id }) {
    if (state.locks.get(lock_id) === undefined) return refuse('lock_not_found');
    return accept(undefined, { type: 'LockProvisioned', data: { lock_id } });
  },
  ProvisionEntryPoint(state, { entry_point_id }) {
    if (state.entry_points.get(entry_point_id) === undefined) return refuse('entry_point_not_found');
    return accept(undefined, { type: 'EntryPointProvisioned', data: { entry_point_id } });
  },
};

/** Keeps the current list if both contain the same zones, because their order does not matter. */
function currentIfSame(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const set = new Set(wanted);
  const same = set.size === current.length && current.every((zone_id) => set.has(zone_id));
  return same ? current : [...set];
}

/** As `AddLock`, for a caller that knows that no other lock has the serial number: a location may have thousands. */
export function addLock(
  state: LocationState,
  { lock_id, name, serial }: LocationCommandFields['AddLock'],
): LocationDecision<LocationResults['AddLock']> {
  const known = state.locks.get(lock_id);
  if (known !== undefined) return accept(known);
  const data = { lock_id, name, serial };
  return accept(
    { ...data, location_id: state.details.location_id, unit_id: null },
    { type: 'LockAdded', data },
  );
}

function lockOfSerial({ locks }: LocationState, serial: string): LockState | undefined {
  for (const lock of locks.values()) if (lock.serial === serial) return lock;
  return undefined;
}

function isInZone(state: LocationState, unit_id: string, zone_id: string): boolean {
  return state.units.get(unit_id)?.zone_ids.includes(zone_id) ?? false;
}

function foreignZones({ zones }: LocationState, zone_ids: readonly string[]): LocationRefusal | undefined {
  const indexes = zone_ids.flatMap((zone_id, index) => (zones.get(zone_id) === undefined ? index : []));
  return indexes.length === 0 ? undefined : { code: 'zones_not_of_location', indexes };
}
