import { schema } from '../../http/index.js';
import { REASON, STATE } from '../unit-access/unit.schemas.js';

const { flag, id, instant, list, nullable, object, oneOf, text } = schema;

const KEY = { key: text, key_expires_at: instant };

const UNIT = object({
  unit_id: id,
  unit_name: text,
  location: object({ id, name: text, timezone: text }),
  relationship: oneOf(['primary', 'shared']),
  state: STATE,
  reason: REASON,
  last_accessed_at: nullable(instant),
  locks: list(object({ lock_id: id, name: text }, KEY)),
});

const ENTRY_POINT = object(
  {
    entry_point_id: id,
    name: text,
    kind: oneOf(['gate', 'door', 'elevator']),
    location_id: id,
    zones: list(id),
    state: oneOf(['permitted', 'denied']),
    would_have_access: flag,
  },
  KEY,
);

/** The answer to a tenant's app about all that the tenant may open. */
export const TENANT_ACCESS_SCHEMA = object(
  {
    tenant: object({ id, name: text }),
    evaluated_at: instant,
    valid_until: nullable(instant),
    refresh_at: nullable(instant),
    units: list(UNIT),
    entry_points: list(ENTRY_POINT),
  },
  {},
  'TenantAccess',
);
