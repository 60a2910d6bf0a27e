import { DECIDED_SCHEMA } from '#api/shapes/index.js';
import { ACCESS_REASONS, ACCESS_STATES } from '#domain/access/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { PASS_REASON } from '../passes/passes.schemas.js';

const { entry_point_id, pass_id, phone, tenant_id, unit_id, unit_name } = field;
const { either, extended, flag, id, instant, list, named, nullable, object, oneOf, says, text } = schema;

const PERSON = {
  tenant_id,
  name: says('Null if it is not known or was erased.', nullable(text)),
  phone,
};

const share_id = says('Of a share that the tenant gave. Null if staff gave it.', nullable(id));
const key_expires_at = says(
  'Until when a key given out before opens, also if nobody may open any more. Null if no key is good.',
  nullable(instant),
);

const TENANT = object({
  kind: says('The tenant of the unit.', oneOf(['tenant'])),
  ...PERSON,
  opens: says('Whether the app gets a key now.', flag),
  key_expires_at,
});

const SHARE = object({
  kind: says('Somebody with whom the unit is shared.', oneOf(['share'])),
  ...PERSON,
  share_id,
  until: says('Instant at which the share ends by itself. Null if it does not.', nullable(instant)),
  opens: says('Whether the app gets a key now.', flag),
  key_expires_at,
});

const PASS = object({
  kind: says('The holder of a pass in force or to come.', oneOf(['pass'])),
  ...PERSON,
  pass_id,
  reason: PASS_REASON,
  from: says('Instant from which the pass opens.', instant),
  until: says('Instant at which the pass ends by itself.', instant),
  opens: says('Whether the app gets a key now.', flag),
  key_expires_at,
});

const INVITATION = named(
  'InvitedToUnit',
  object({
    kind: says('Somebody whom the tenant has invited, and who has not accepted.', oneOf(['invitation'])),
    ...PERSON,
    share_id: says('The share that begins when the person accepts.', id),
    until: says('Instant at which the share will end.', instant),
    accept_by: says('Instant at which the invitation ends if it is not accepted.', instant),
  }),
);

const LOCKED_INVITATION = named(
  'LockedOutOfInvitation',
  object({
    kind: says(
      'Somebody whom the tenant has invited, and who cannot accept any more: five wrong codes were entered.',
      oneOf(['locked_invitation']),
    ),
    ...PERSON,
    share_id: says('The share that was offered. It does not begin.', id),
    listed_until: says('Instant from which the invitation is not listed any more.', instant),
  }),
);

const KEY_HOLDER = named(
  'KeyHolder',
  object({
    kind: says('Somebody without a right, who holds a key that still works.', oneOf(['key_holder'])),
    ...PERSON,
    pass_id: says('The pass that gave the key. Null if a tenancy or a share did.', nullable(id)),
    key_expires_at: says('Until when the key opens.', instant),
  }),
);

const PERSON_OF_UNIT = either(
  'PersonOfUnit',
  named('TenantOfUnit', TENANT),
  named('SharerOfUnit', SHARE),
  named('PassHolderOfUnit', PASS),
  INVITATION,
  LOCKED_INVITATION,
  KEY_HOLDER,
);

export const UNIT_PEOPLE_SCHEMA = named(
  'UnitPeople',
  object({
    unit_id,
    unit_name,
    state: says('The access of tenant and shares now.', oneOf(ACCESS_STATES)),
    reason: says('Null if nobody rents it.', nullable(oneOf(ACCESS_REASONS))),
    has_lock: says('Whether it has a lock. Without one nobody gets a key to it, so nobody `opens` it.', flag),
    people: says(
      'The tenant, those with whom the unit is shared, holders of passes in force or to come, those who are invited, and those who may open no more but hold a key that still works.',
      list(PERSON_OF_UNIT),
    ),
  }),
);

const AT_ENTRY_POINT = {
  denial: says(
    'Why the app gets no key now: `out_of_service`, `units_denied`, `outside_hours`, or `not_begun` for a pass to come. Null if it gets one.',
    nullable(oneOf(['out_of_service', 'units_denied', 'outside_hours', 'not_begun'])),
  ),
  opens_at: says(
    'Instant at which it opens. Null if it is open, if it never opens, or if hours are not the reason.',
    nullable(instant),
  ),
};

const UNIT_OF_PERSON = {
  unit_id,
  unit_name,
  access: says('The access of the unit now.', DECIDED_SCHEMA),
};

const PERSON_OF_ENTRY_POINT = either(
  'PersonOfEntryPoint',
  named('TenantAtEntryPoint', extended(TENANT, { ...UNIT_OF_PERSON, ...AT_ENTRY_POINT })),
  named('SharerAtEntryPoint', extended(SHARE, { ...UNIT_OF_PERSON, ...AT_ENTRY_POINT })),
  named('PassHolderAtEntryPoint', extended(PASS, AT_ENTRY_POINT)),
  KEY_HOLDER,
);

export const ENTRY_POINT_PEOPLE_SCHEMA = named(
  'EntryPointPeople',
  object({
    entry_point_id,
    people: says(
      'Holders of passes and of keys that still work, on the first page; then tenants and shares by unit. Who has several units is listed for each, by what that unit alone opens.',
      list(PERSON_OF_ENTRY_POINT),
    ),
    next_cursor: schema.next_cursor,
  }),
);
