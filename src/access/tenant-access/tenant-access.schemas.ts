import * as field from '../../http/openapi/fields.js';
import * as schema from '../../http/openapi/schemas.js';
import { REASON, STATE } from '../unit-access/unit.schemas.js';

const { entry_point_id, kind, last_accessed_at, location_id, lock_id, name, timezone } = field;
const { unit_id, unit_name } = field;
const { flag, id, instant, list, nullable, object, oneOf, says, text } = schema;

const KEY = {
  key: says('The key to send to the lock, opaque. Left out if access is denied.', text),
  key_expires_at: says(
    'Instant after which the lock refuses the key. Left out if access is denied.',
    instant,
  ),
};

const UNIT = object({
  unit_id,
  unit_name,
  location: says('The location of the unit.', object({ id: location_id, name, timezone })),
  relationship: says(
    '`primary` for the tenant of the unit, `shared` for a share.',
    oneOf(['primary', 'shared']),
  ),
  state: STATE,
  reason: REASON,
  last_accessed_at,
  locks: says(
    'The locks of the unit. A unit may have none, or several.',
    list(object({ lock_id, name }, KEY)),
  ),
});

const ENTRY_POINT = object(
  {
    entry_point_id,
    name,
    kind,
    location_id,
    zones: says('The zones that it opens to, by their `zone_id`.', list(id)),
    state: says(
      '`permitted` if one unit in its zones is permitted and it is in service.',
      oneOf(['permitted', 'denied']),
    ),
    would_have_access: says('True if it is in service: then the units alone decide.', flag),
  },
  KEY,
);

/** The answer to a tenant's app about all that the tenant may open. */
export const TENANT_ACCESS_SCHEMA = object(
  {
    tenant: says('The tenant who asks.', object({ id: field.tenant_id, name })),
    evaluated_at: says('Instant of the decisions.', instant),
    valid_until: says(
      'The next instant at which one of the decisions changes. Null if there is none.',
      nullable(instant),
    ),
    refresh_at: says(
      'Instant at which the app should ask again: a decision or a key ends. Null if none does.',
      nullable(instant),
    ),
    units: says('The units that the tenant rents or shares, denied ones too.', list(UNIT)),
    entry_points: says('Gates, doors and elevators to these units.', list(ENTRY_POINT)),
  },
  {},
  'TenantAccess',
);
