import type { ProvisionEntryPoint, ProvisionLock } from '../location.commands.js';
import type { LocationState } from '../location.state.js';
import { accept, refuse } from './decision.js';
import type { LocationDecision } from './decision.js';

export function provisionLock(state: LocationState, { lock_id }: ProvisionLock): LocationDecision<undefined> {
  if (state.locks.get(lock_id) === undefined) return refuse('lock_not_found');
  return accept(undefined, { type: 'LockProvisioned', data: { lock_id } });
}

export function provisionEntryPoint(
  state: LocationState,
  { entry_point_id }: ProvisionEntryPoint,
): LocationDecision<undefined> {
  if (state.entry_points.get(entry_point_id) === undefined) return refuse('entry_point_not_found');
  return accept(undefined, { type: 'EntryPointProvisioned', data: { entry_point_id } });
}
