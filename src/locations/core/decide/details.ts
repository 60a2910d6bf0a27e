import type { ChangeLocation, LocationResults, OpenLocation } from '../location.commands.js';
import type { LocationEvent } from '../location.events.js';
import type { LocationState } from '../location.state.js';
import { accept, differences, refuse } from './decision.js';
import type { LocationDecision } from './decision.js';

/** The company has given the code to this location; where it is open already, whoever asks again asks for a taken code. */
export function openLocation(
  state: LocationState | undefined,
  { type: _, ...data }: OpenLocation,
): LocationDecision<LocationResults['OpenLocation']> {
  if (state !== undefined) return refuse('pms_location_code_taken');
  return accept(data, { type: 'LocationOpened', data });
}

export function changeLocation(
  { details }: LocationState,
  command: ChangeLocation,
): LocationDecision<LocationResults['ChangeLocation']> {
  const name = command.name ?? details.name;
  const policyChange = differences(details.policy, command.policy ?? {});
  const policy = { ...details.policy, ...policyChange };
  const events: LocationEvent[] = [];
  if (name !== details.name) events.push({ type: 'LocationRenamed', data: { name } });
  if (policyChange !== undefined) events.push({ type: 'LocationPolicyChanged', data: { policy } });
  return accept({ ...details, name, policy }, ...events);
}
