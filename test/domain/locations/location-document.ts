import {
  DEFAULT_CURRENCY,
  DEFAULT_POLICY,
  NEVER_NOTICED,
  NO_CONTACT,
  NO_NOTICES,
  type LocationDocument,
} from '#domain/locations/index.js';

/** A location without zones and entry points; its code and name are its id. */
export function locationDocument(
  _id: string,
  company_id: string,
  more: Partial<LocationDocument> = {},
): LocationDocument {
  return {
    _id,
    revision: 0,
    company_id,
    location_id: _id,
    pms_location_code: _id,
    name: _id,
    policy: DEFAULT_POLICY,
    access_hours: null,
    hours_set_at: [],
    contact: NO_CONTACT,
    currency: DEFAULT_CURRENCY,
    notices: NO_NOTICES,
    notices_since: NEVER_NOTICED,
    tenant_sharing: false,
    policy_revision: 0,
    set_at: [0],
    zones: [],
    entry_points: [],
    part_ids: [],
    entry_point_names: [],
    ...more,
  };
}
