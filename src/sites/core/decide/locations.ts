import type { AddLocation, ChangeLocation, SiteResults } from '../site.commands.js';
import type { SiteEvent } from '../site.events.js';
import type { SiteState } from '../site.state.js';
import { accept, differences, refuse } from './decision.js';
import type { SiteDecision } from './decision.js';

/** A location's code is what integrators call it, so it is unique within the company. */
export function addLocation(
  state: SiteState,
  { location_id, pms_location_code, name, policy }: AddLocation,
): SiteDecision<SiteResults['AddLocation']> {
  const known = state.locations.get(location_id);
  if (known !== undefined) return accept(known);
  for (const other of state.locations.values()) {
    if (other.pms_location_code === pms_location_code) return refuse('pms_location_code_taken');
  }
  const data = { location_id, pms_location_code, name, policy };
  return accept(data, { type: 'LocationAdded', data });
}

export function changeLocation(
  state: SiteState,
  command: ChangeLocation,
): SiteDecision<SiteResults['ChangeLocation']> {
  const { location_id } = command;
  const location = state.locations.get(location_id);
  if (location === undefined) return refuse('location_not_found');
  const name = command.name ?? location.name;
  const policyChange = differences(location.policy, command.policy ?? {});
  const policy = { ...location.policy, ...policyChange };
  const events: SiteEvent[] = [];
  if (name !== location.name) events.push({ type: 'LocationRenamed', data: { location_id, name } });
  if (policyChange !== undefined)
    events.push({ type: 'LocationPolicyChanged', data: { location_id, policy } });
  return accept({ ...location, name, policy }, ...events);
}
