import { IDLE_STATES } from '#domain/units/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import {
  BALANCE_DUE,
  CLOSES_AT,
  ENTRY_POINT_REASON,
  OPENS_AT,
  REACHED,
  REASON,
  STATE,
} from '#api/shapes/index.js';

const { entry_point_id, kind, last_accessed_at, location_id, lock_id, name, pass_id, timezone } = field;
const { unit_id, unit_name } = field;
const { date, flag, id, instant, list, nullable, number, named, object, oneOf, says, text } = schema;

const KEY = {
  key: says('The key to send to the lock, opaque. Left out if access is denied.', text),
  key_expires_at: says(
    'Instant after which the lock refuses the key. Left out if access is denied.',
    instant,
  ),
};

const CONTACT = named(
  'TenantContact',
  object(REACHED, {
    payment_url: says(
      'Where the tenant pays for this unit. Null if the location has no such page. Only for the primary tenant.',
      nullable(text),
    ),
  }),
);

const SHARED_WITH = named(
  'SharedWith',
  object({
    share_id: says('Identifier of the share, to end it by. Null if staff have given it.', nullable(id)),
    name: says(
      'Full name; of a share with an identifier the name that the tenant has typed. Null if it is not known.',
      nullable(text),
    ),
    until: says('Instant at which the share ends by itself. Null if it has no end.', nullable(instant)),
  }),
);

/** For the primary tenant alone, and for a share alone. */
const TERMS = {
  shares: says('Who else may open the unit. Only for the primary tenant.', list(SHARED_WITH)),
  until: says(
    'Instant at which the share ends by itself. Null if it has no end. Only for a share.',
    nullable(instant),
  ),
  may_share: says(
    'Whether the tenant may let others in by `POST /tenant/shares`. Only for the primary tenant.',
    flag,
  ),
  share_id: says(
    'Identifier of the share, to end it by. Null if staff have given it. Only for a share.',
    nullable(id),
  ),
  balance_due: says(`${BALANCE_DUE.description!} Only for the primary tenant.`, number),
  currency: says('ISO 4217, the currency of `balance_due`. Only for the primary tenant.', text),
  paid_through_date: says(
    'The last day that is paid. Null if nobody has said. Only for the primary tenant.',
    nullable(date),
  ),
  move_in_date: says('First day of the lease. Only for the primary tenant.', nullable(date)),
  closes_at: says(
    'Instant at which the unit loses access if nothing is written. Null if it does not, or has none. Only for the primary tenant.',
    nullable(instant),
  ),
};

const UNIT = object(
  {
    unit_id,
    unit_name,
    location: says(
      'The location of the unit.',
      object({ id: location_id, name, timezone, contact: says('How to reach the location.', CONTACT) }),
    ),
    relationship: says(
      '`primary` for the tenant of the unit, `shared` for a share.',
      oneOf(['primary', 'shared']),
    ),
    state: STATE,
    reason: REASON,
    last_accessed_at,
    zones: says('Its zones: an entry point that has one of them opens to the unit.', list(id)),
    locks: says(
      'The locks of the unit. A unit may have none, or several.',
      list(object({ lock_id, name }, KEY)),
    ),
  },
  TERMS,
);

const ENTRY_POINT_MEMBERS = {
  entry_point_id,
  name,
  kind,
  location_id,
  zones: says('The zones that it opens to, by their `zone_id`.', list(id)),
  state: says(
    '`permitted` if it is in service, one unit in its zones is permitted, and its hours let pass.',
    oneOf(['permitted', 'denied']),
  ),
  reason: ENTRY_POINT_REASON,
  would_have_access: says(
    'False if the entry point itself is closed: out of service, or outside of its hours. True if it is permitted, or if the units alone deny.',
    flag,
  ),
  opens_at: OPENS_AT,
  closes_at: CLOSES_AT,
};

const ENTRY_POINT = object(ENTRY_POINT_MEMBERS, {
  ...KEY,
  next_key: says(
    'A key for the next time that it opens, within 24 hours, so that a phone without a network opens it then. Left out if nothing opens until then, or if its reader knows only keys of format 1.',
    named(
      'NextKey',
      object({
        key: says('The key to send to the reader, opaque.', text),
        valid_from: says('Instant from which the reader accepts the key.', instant),
        key_expires_at: says('Instant after which the reader refuses the key.', instant),
      }),
    ),
  ),
});

const PASS_UNIT = named(
  'UnitOfPass',
  object({
    unit_id,
    unit_name,
    state: says(
      'Why a pass may open it: nobody rents it, it is not for rent, or it is in auction.',
      oneOf(IDLE_STATES),
    ),
    zones: says('The zones that it is in.', list(id)),
    locks: says('The locks of the unit.', list(object({ lock_id, name }, KEY))),
  }),
);

const PASS = named(
  'HeldPass',
  object({
    pass_id,
    location: says(
      'Where it opens.',
      object({
        id: location_id,
        name,
        timezone,
        contact: says('How to reach the location.', named('LocationReached', object(REACHED))),
      }),
    ),
    from: says('Instant from which it opens. Before that it has no keys.', instant),
    until: says('Instant at which it ends by itself.', instant),
    entry_points: says(
      'What it opens, as under `entry_points`. Hours of the pass count in place of those of the entry point. Keys end after an hour at most.',
      list(named('OpenedByPass', object(ENTRY_POINT_MEMBERS, KEY))),
    ),
    units: says('Units that it opens. One that was let has dropped out.', list(PASS_UNIT)),
  }),
);

/** The answer to a tenant's app about all that the tenant may open. */
export const TENANT_ACCESS_SCHEMA = named(
  'TenantAccess',
  object({
    tenant: says('The tenant who asks.', object({ id: field.tenant_id, name })),
    evaluated_at: says('Instant of the decisions.', instant),
    valid_until: says(
      'The next instant at which one of the decisions changes or a share ends. Null if there is none.',
      nullable(instant),
    ),
    refresh_at: says(
      'Instant at which the app should ask again: a decision or a key ends, or an entry point opens or closes. If none does within six hours, a time within them.',
      instant,
    ),
    units: says('The units that the tenant rents or shares, denied ones too.', list(UNIT)),
    entry_points: says('Gates, doors and elevators to these units.', list(ENTRY_POINT)),
    passes: says(
      'Passes that a vendor, an inspector or a buyer holds, apart from units that are rented or shared. Only the account of a pass has any.',
      list(PASS),
    ),
  }),
);
