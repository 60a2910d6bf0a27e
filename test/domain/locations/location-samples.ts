import { decideLocation } from '#domain/locations/core/location.decide.js';
import { DEFAULT_POLICY } from '#domain/locations/core/location-policy.js';
import type { LocationCommand } from '#domain/locations/core/location.commands.js';
import type { LocationEvent } from '#domain/locations/core/location.events.js';
import { evolveLocation, type LocationState } from '#domain/locations/core/location.state.js';
import { given } from '../../support/given.js';

export function foldLocation(
  events: readonly LocationEvent[],
  onto?: LocationState,
  evolve = evolveLocation,
): LocationState | undefined {
  return events.reduce<LocationState | undefined>(
    (state, event) => evolve(state, event, (state?.revision ?? -1) + 1),
    onto,
  );
}

export function givenLocation(...events: readonly LocationEvent[]) {
  const decide = (state: LocationState | undefined, command: LocationCommand, now: number) =>
    decideLocation(state, command, now);
  return given({ evolve: evolveLocation, decide }, ...events);
}

export const opened: LocationEvent = {
  type: 'LocationOpened',
  data: {
    location_id: 'main',
    company_id: 'company',
    pms_location_code: 'MAIN',
    name: 'Main St',
    policy: DEFAULT_POLICY,
  },
};

export function zone(zone_id: string): LocationEvent {
  return { type: 'ZoneAdded', data: { zone_id, name: zone_id } };
}

export function lock(lock_id: string): LocationEvent {
  return { type: 'LockAdded', data: { lock_id, name: lock_id, serial: null } };
}

export function gate(entry_point_id: string, ...zone_ids: string[]): LocationEvent {
  return {
    type: 'EntryPointAdded',
    data: { entry_point_id, name: entry_point_id, kind: 'gate', zone_ids, in_service: true, at: 0 },
  };
}
