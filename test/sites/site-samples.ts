import { DEFAULT_POLICY } from '../../src/sites/core/location-policy.js';
import type { SiteEvent } from '../../src/sites/core/site.events.js';
import { NOW } from './given-site.js';

export const registered: SiteEvent = {
  type: 'CompanyRegistered',
  data: { company_id: 'company', name: 'Ada Storage', created_at: NOW },
};

export function location(location_id: string, pms_location_code = `code-${location_id}`): SiteEvent {
  return {
    type: 'LocationAdded',
    data: { location_id, pms_location_code, name: location_id, policy: DEFAULT_POLICY },
  };
}

export function zone(zone_id: string, location_id: string): SiteEvent {
  return { type: 'ZoneAdded', data: { zone_id, location_id, name: zone_id } };
}

export function lock(lock_id: string, location_id: string): SiteEvent {
  return { type: 'LockAdded', data: { lock_id, location_id, name: lock_id, serial: null } };
}

export function gate(entry_point_id: string, location_id: string, ...zone_ids: string[]): SiteEvent {
  return {
    type: 'EntryPointAdded',
    data: { entry_point_id, location_id, name: entry_point_id, kind: 'gate', zone_ids, in_service: true },
  };
}
