import type { AddLock, AttachLock, DetachLock, LocationResults } from '../location.commands.js';
import type { LocationState } from '../location.state.js';
import { accept, refuse } from './decision.js';
import type { LocationDecision } from './decision.js';

export function addLock(
  state: LocationState,
  { lock_id, name, serial }: AddLock,
): LocationDecision<LocationResults['AddLock']> {
  const known = state.locks.get(lock_id);
  if (known !== undefined) return accept(known);
  const data = { lock_id, name, serial };
  return accept(
    { ...data, location_id: state.details.location_id, unit_id: null },
    { type: 'LockAdded', data },
  );
}

/** A lock hangs on one door: it must be taken off one unit before it is put on another. */
export function attachLock(
  state: LocationState,
  { lock_id, unit }: AttachLock,
  now: number,
): LocationDecision<LocationResults['AttachLock']> {
  const lock = state.locks.get(lock_id);
  if (lock === undefined) return refuse('lock_not_found');
  if (state.details.location_id !== unit.location_id) return refuse('unit_not_of_location');
  const { unit_id } = unit;
  if (lock.unit_id === unit_id) return accept(lock);
  if (lock.unit_id !== null) return refuse('lock_on_another_unit');
  return accept({ ...lock, unit_id }, { type: 'LockAttached', data: { lock_id, unit_id, at: now } });
}

/** Taking off a lock that is on no unit changes nothing. */
export function detachLock(
  state: LocationState,
  { lock_id, unit_id }: DetachLock,
  now: number,
): LocationDecision<LocationResults['DetachLock']> {
  const lock = state.locks.get(lock_id);
  if (lock === undefined) return refuse('lock_not_found');
  if (lock.unit_id === null) return accept(lock);
  if (lock.unit_id !== unit_id) return refuse('lock_on_another_unit');
  return accept({ ...lock, unit_id: null }, { type: 'LockDetached', data: { lock_id, unit_id, at: now } });
}
