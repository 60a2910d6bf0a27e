import type { CommandOf } from '#eventsourcing/writing/aggregate.js';
import type { LocationCommandFields, LocationRefusal, LocationResults } from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';
import type { EntryPointState, LocationState, LockState } from '../location.state.js';
import { detailsAfter, detailsEvents } from './details.js';
import { accept, differences, type LocationDecision, refuse } from './decision.js';

/** The most of one location. Each write of one of its units reads them all. */
export const MOST_ZONES = 500;
export const MOST_ENTRY_POINTS = 200;

/** Decides each command on an existing location. Set-up commands are decided in setup.ts. */
export const DECIDERS: {
  readonly [Type in Exclude<keyof LocationCommandFields, 'OpenLocation' | 'SetUpUnits'>]: (
    state: LocationState,
    command: CommandOf<LocationCommandFields, Type>,
    now: number,
  ) => LocationDecision<LocationResults[Type]>;
} = {
  ChangeLocation({ details }, { hours_from, ...command }, now) {
    if (hours_from !== undefined && hours_from !== (details.hours_set_at.at(-1) ?? null))
      return refuse('hours_changed');
    const wanted = { ...details, ...detailsAfter(details, command) };
    return accept(wanted, ...detailsEvents(details, wanted, now));
  },
  AddZone(state, { zone_id, name, at_cap }) {
    const known = state.zones.get(zone_id) ?? state.removed.zones.get(zone_id);
    if (known !== undefined) return accept(known);
    if (state.zones.size >= MOST_ZONES && at_cap !== 'accept') return refuse('zones_full');
    const data = { zone_id, name };
    return accept({ ...data, location_id: state.details.location_id }, { type: 'ZoneAdded', data });
  },
  RenameZone({ zones }, { zone_id, name }) {
    const zone = zones.get(zone_id);
    if (zone === undefined) return refuse('zone_not_found');
    if (zone.name === name) return accept(zone);
    return accept({ ...zone, name }, { type: 'ZoneRenamed', data: { zone_id, name } });
  },
  RemoveZone({ zones, entry_points, units, removed }, { zone_id }, now) {
    const gone = removed.zones.get(zone_id);
    if (gone !== undefined) return accept(gone);
    const zone = zones.get(zone_id);
    if (zone === undefined) return refuse('zone_not_found');
    if (someLeadsTo(units, [zone_id]) || someLeadsTo(entry_points, [zone_id])) return refuse('zone_in_use');
    return accept(zone, { type: 'ZoneRemoved', data: { zone_id, at: now } });
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
  AddEntryPoint(state, command, now) {
    const { entry_point_id, name, kind, zone_ids, hours = 'location', key_format = 1 } = command;
    const known = state.entry_points.get(entry_point_id) ?? state.removed.entry_points.get(entry_point_id);
    if (known !== undefined) return accept(known);
    const isFull = state.entry_points.size >= MOST_ENTRY_POINTS;
    if (isFull && command.at_cap !== 'accept') return refuse('entry_points_full');
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
      { ...data, location_id: state.details.location_id, hours, key_format },
      { type: 'EntryPointAdded', data: { ...data, at: now } },
      ...settingsEvents({ entry_point_id, hours: 'location', key_format: 1 }, { hours, key_format }),
    );
  },
  ChangeEntryPoint(state, { entry_point_id, name, zone_ids, in_service, ...settings }, now) {
    const entryPoint = state.entry_points.get(entry_point_id);
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    const foreign = foreignZones(state, zone_ids ?? []);
    if (foreign !== undefined) return { rejected: foreign };
    const zones = zone_ids === undefined ? entryPoint.zone_ids : currentIfSame(entryPoint.zone_ids, zone_ids);
    const changed = differences(entryPoint, { name, zone_ids: zones, in_service });
    const { hours = entryPoint.hours, key_format = entryPoint.key_format } = settings;
    const events = settingsEvents(entryPoint, { hours, key_format });
    if (changed !== undefined)
      events.unshift({ type: 'EntryPointChanged', data: { entry_point_id, ...changed, at: now } });
    return accept({ ...entryPoint, ...changed, hours, key_format }, ...events);
  },
  ZoneEntryPoint(state, { zone_id, entry_point_id }, now) {
    const entryPoint = state.entry_points.get(entry_point_id);
    if (state.zones.get(zone_id) === undefined) return refuse('zone_not_found');
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    if (entryPoint.zone_ids.includes(zone_id)) return accept(entryPoint);
    return leadTo(entryPoint, [...entryPoint.zone_ids, zone_id], now);
  },
  UnzoneEntryPoint({ zones, entry_points, removed }, { zone_id, entry_point_id }, now) {
    const entryPoint = entry_points.get(entry_point_id);
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    if (!entryPoint.zone_ids.includes(zone_id)) {
      const isKnown = zones.has(zone_id) || removed.zones.has(zone_id);
      return isKnown ? accept(entryPoint) : refuse('zone_not_found');
    }
    return leadTo(
      entryPoint,
      entryPoint.zone_ids.filter((one) => one !== zone_id),
      now,
    );
  },
  RemoveEntryPoint({ entry_points, units, removed }, { entry_point_id }, now) {
    const gone = removed.entry_points.get(entry_point_id);
    if (gone !== undefined) return accept(gone);
    const entryPoint = entry_points.get(entry_point_id);
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    if (entryPoint.in_service && someLeadsTo(units, entryPoint.zone_ids)) return refuse('entry_point_in_use');
    return accept(entryPoint, { type: 'EntryPointRemoved', data: { entry_point_id, at: now } });
  },
  AddLock: newLock,
  ChangeLock(state, { lock_id, ...wanted }) {
    const lock = state.locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    const { name = lock.name, key_format = lock.key_format } = wanted;
    const events: LocationEvent[] = [];
    if (name !== lock.name) events.push({ type: 'LockRenamed', data: { lock_id, name } });
    if (key_format !== lock.key_format)
      events.push({ type: 'LockKeyFormatChanged', data: { lock_id, key_format } });
    return accept({ ...lock, name, key_format }, ...events);
  },
  RemoveLock({ locks, removed }, { lock_id }, now) {
    const gone = removed.locks.get(lock_id);
    if (gone !== undefined) return accept(gone);
    const lock = locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    if (lock.unit_id !== null) return refuse('lock_in_use');
    return accept(lock, { type: 'LockRemoved', data: { lock_id, at: now } });
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
  ReplaceLock(state, { lock_id, unit, by }, now) {
    const { unit_id } = unit;
    const lock = state.locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    if (state.details.location_id !== unit.location_id) return refuse('unit_not_of_location');
    const present = state.locks.get(by.lock_id);
    if (lock.unit_id !== unit_id)
      return present?.unit_id === unit_id ? accept(present) : refuse('lock_on_another_unit');
    const next = replacingLock(state, by, lock.name);
    if ('rejected' in next) return next;
    return accept(
      { ...next.result, unit_id },
      { type: 'LockDetached', data: { lock_id, unit_id, at: now } },
      ...next.events,
      { type: 'LockAttached', data: { lock_id: by.lock_id, unit_id, at: now } },
    );
  },
  ProvisionLock(state, { lock_id }) {
    const lock = state.locks.get(lock_id);
    if (lock === undefined) return refuse('lock_not_found');
    const { key_format } = lock;
    return accept({ key_format }, { type: 'LockProvisioned', data: { lock_id } });
  },
  ProvisionEntryPoint(state, { entry_point_id }) {
    const entryPoint = state.entry_points.get(entry_point_id);
    if (entryPoint === undefined) return refuse('entry_point_not_found');
    const { key_format } = entryPoint;
    return accept({ key_format }, { type: 'EntryPointProvisioned', data: { entry_point_id } });
  },
};

type EntryPointSettings = Pick<EntryPointState, 'hours' | 'key_format'>;

function leadTo(
  entryPoint: EntryPointState,
  zone_ids: readonly string[],
  now: number,
): LocationDecision<LocationResults['ZoneEntryPoint']> {
  const { entry_point_id } = entryPoint;
  const data = { entry_point_id, zone_ids, at: now };
  return accept({ ...entryPoint, zone_ids }, { type: 'EntryPointChanged', data });
}

/** The events of settings that differ. */
function settingsEvents(
  { entry_point_id, ...current }: EntryPointSettings & Pick<EntryPointState, 'entry_point_id'>,
  { hours, key_format }: EntryPointSettings,
): LocationEvent[] {
  const events: LocationEvent[] = [];
  if (hours !== current.hours)
    events.push({ type: 'EntryPointHoursChanged', data: { entry_point_id, hours } });
  if (key_format !== current.key_format)
    events.push({ type: 'EntryPointKeyFormatChanged', data: { entry_point_id, key_format } });
  return events;
}

/** Keeps the current list if both contain the same zones, because their order does not matter. */
function currentIfSame(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const set = new Set(wanted);
  const same = set.size === current.length && current.every((zone_id) => set.has(zone_id));
  return same ? current : [...set];
}

/** As `AddLock`, for a caller that knows that no other lock has the serial number: a location may have thousands. */
export function addLock(
  state: LocationState,
  { lock_id, name, serial, key_format = 1 }: LocationCommandFields['AddLock'],
): LocationDecision<LocationResults['AddLock']> {
  const known = state.locks.get(lock_id) ?? state.removed.locks.get(lock_id);
  if (known !== undefined) return accept(known);
  const data = { lock_id, name, serial };
  const events: LocationEvent[] = [{ type: 'LockAdded', data }];
  if (key_format !== 1) events.push({ type: 'LockKeyFormatChanged', data: { lock_id, key_format } });
  const { location_id } = state.details;
  return accept({ ...data, location_id, key_format, unit_id: null }, ...events);
}

/** Adds a lock, unless another lock of the location has its serial number. */
function newLock(
  state: LocationState,
  command: LocationCommandFields['AddLock'],
): LocationDecision<LocationResults['AddLock']> {
  const { lock_id, serial } = command;
  const isNew = serial !== null && state.locks.get(lock_id) === undefined;
  const holder = isNew ? lockOfSerial(state, serial) : undefined;
  if (holder !== undefined) return { rejected: { code: 'serial_taken', lock: holder.name } };
  return addLock(state, command);
}

/** The lock that takes the place of another: one that is on no unit, or a new one. */
function replacingLock(
  state: LocationState,
  by: LocationCommandFields['ReplaceLock']['by'],
  name: string,
): LocationDecision<LocationResults['AddLock']> {
  const isKnown = state.locks.has(by.lock_id) || state.removed.locks.has(by.lock_id);
  return by.kind === 'new' && !isKnown
    ? newLock(state, { ...by, name: by.name ?? name })
    : freeLock(state, by.lock_id);
}

/** A lock that is on no unit. */
function freeLock({ locks }: LocationState, lock_id: string): LocationDecision<LocationResults['AddLock']> {
  const lock = locks.get(lock_id);
  if (lock === undefined) return refuse('lock_not_found');
  return lock.unit_id === null ? accept(lock) : refuse('lock_on_another_unit');
}

/** Whether a unit is in one of the zones, or an entry point leads to one. */
function someLeadsTo(
  things: ReadonlyMap<string, { readonly zone_ids: readonly string[] }>,
  zone_ids: readonly string[],
): boolean {
  const wanted = new Set(zone_ids);
  for (const thing of things.values()) if (thing.zone_ids.some((zone_id) => wanted.has(zone_id))) return true;
  return false;
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
