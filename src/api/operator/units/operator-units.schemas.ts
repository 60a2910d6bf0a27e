import { OVERRIDE_VALUES } from '#domain/units/index.js';
import { ACCESS_SCHEMA, EXPLAINED_UNIT_SCHEMA, UNIT_SCHEMA } from '#api/shapes/index.js';
import { WARNED, WARNING_SCHEMA } from '#api/push/index.js';
import { LOCKED_OUT_SINCE } from '#api/history/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';

const { applied_at, company_id, created_at, email, entry_point_id, location_id, lock_id } = field;
const { name, phone, serial, tenant_id, unit_id, zone_id } = field;
const { extended, flag, id, instant, list, named, nullable, object, oneOf, page, says, text, whole } = schema;

/** The answer to each write of an operator on a unit. */
export const OPERATOR_WRITE_SCHEMA = named(
  'OperatorWrite',
  object({ unit_id, applied_at, access: says('The decision after the write.', ACCESS_SCHEMA) }),
);

export const TRANSFER_SCHEMA = named(
  'UnitTransfer',
  object(
    {
      unit_id: says('The unit that the tenant left.', schema.id),
      to_unit_id: says('The unit that the tenant rents now.', schema.id),
      applied_at,
    },
    {
      warnings: says(WARNED, list(WARNING_SCHEMA)),
      access: says(
        'The decision for the new unit. Left out if a retry found the transfer in the log after a crash.',
        ACCESS_SCHEMA,
      ),
    },
  ),
);

export const PERSON_SHARED_SCHEMA = named(
  'PersonShared',
  extended(OPERATOR_WRITE_SCHEMA, { tenant_id: says('The new account.', tenant_id) }),
);

const ROUND_THE_CLOCK = says('True if its people pass gates at any hour.', flag);

/** Members that only operators see. */
const OPERATOR_MEMBERS = {
  company_id,
  round_the_clock: ROUND_THE_CLOCK,
  retired: says('True if the unit was retired: integrators get 404 for it.', flag),
};

export const OPERATOR_UNITS_SCHEMA = named(
  'OperatorUnitPage',
  page(
    'units',
    named('OperatorUnit', extended(UNIT_SCHEMA, OPERATOR_MEMBERS, { locked_out_since: LOCKED_OUT_SINCE })),
  ),
);

const TENANT = named(
  'TenantSummary',
  object({
    tenant_id,
    pms_tenant_id: says(
      'The identifier that the PMS gave the tenant. It names one account per location, so the same value at two locations is two accounts.',
      text,
    ),
    name: says('Full name. Null if it is not known or was erased.', nullable(text)),
    email,
    phone,
  }),
);

const SHARE_UNTIL = says(
  'Instant at which the share ends by itself. Null: when it is ended, or with the tenancy.',
  nullable(instant),
);

const SHARE = named(
  'TenantWhoShares',
  extended(TENANT, {
    until: SHARE_UNTIL,
    share_id: says('Identifier of a share that the tenant gave. Null if staff gave it.', nullable(id)),
  }),
);

const INVITATION = named(
  'InvitedPerson',
  extended(TENANT, {
    share_id: says('Identifier of the share that is offered.', id),
    until: says('Instant at which the share would end.', instant),
    accept_by: says('Instant from which nobody accepts the invitation any more.', instant),
    locked: says('True if five wrong codes have closed it.', flag),
  }),
);

const KEY_EXPIRES_AT = says('Instant after which the lock refuses the key.', instant);
const KEY_HOLDER = { tenant_id, expires_at: KEY_EXPIRES_AT };
/** One of the two: the lock or the entry point that a key opens. */
const OPENED = { lock_id, entry_point_id };
const OPENED_NAME = says('Name of the lock or entry point. Null if it is gone.', nullable(text));

export const OPERATOR_UNIT_SCHEMA = named(
  'OperatorUnitDetail',
  extended(
    EXPLAINED_UNIT_SCHEMA,
    {
      ...OPERATOR_MEMBERS,
      override: says(
        "The operator's override. Null if there is none or it ended.",
        nullable(
          object({
            override: says('`lockout` denies, `exempt` permits.', oneOf(OVERRIDE_VALUES)),
            reason: says("The operator's reason.", text),
            expires_at: says('Instant at which it ends by itself. Null if it never does.', nullable(instant)),
          }),
        ),
      ),
      locks: says(
        'The locks of the unit.',
        list(
          object({
            lock_id,
            name,
            serial,
            key_format: field.key_format,
            keys_outstanding: says('Keys given out that still work offline.', list(object(KEY_HOLDER))),
          }),
        ),
      ),
      other_keys_outstanding: says(
        'Keys to locks since removed and to entry points, until they expire.',
        list(object({ name: OPENED_NAME, ...KEY_HOLDER }, OPENED)),
      ),
      zones: says(
        'The zones that the unit is in.',
        list(object({ zone_id, name: says('Name of the zone. Null if it is gone.', nullable(text)) })),
      ),
      tenant: says('The tenant. Null if the unit is vacant.', nullable(TENANT)),
      shares: says('Tenants who share the unit now.', list(SHARE)),
      invitations: says(
        'People whom the tenant has invited to share the unit, and who have not accepted yet. They open nothing.',
        list(INVITATION),
      ),
    },
    { locked_out_since: LOCKED_OUT_SINCE },
  ),
);

const ACCOUNT = extended(TENANT, {
  company_id,
  location_id,
  created_at,
  erased_at: says(
    'Instant at which the personal details were erased. Null if they were not.',
    nullable(instant),
  ),
});

export const OPERATOR_TENANTS_SCHEMA = named(
  'OperatorTenantPage',
  page('tenants', named('OperatorTenant', ACCOUNT)),
);

export const OPERATOR_TENANT_SCHEMA = named(
  'OperatorTenantDetail',
  extended(
    ACCOUNT,
    {
      units: says(
        'The units that the tenant rents.',
        list(extended(UNIT_SCHEMA, { round_the_clock: ROUND_THE_CLOCK })),
      ),
      shares: says(
        'Units of others that the tenant shares now.',
        list(extended(UNIT_SCHEMA, { round_the_clock: ROUND_THE_CLOCK, shared_until: SHARE_UNTIL })),
      ),
      sessions: says(
        'Sessions that have not ended.',
        list(
          object({
            session_id: says('Identifier of the session. It is no credential.', text),
            created_at,
            expires_at: says('Instant at which it ends.', instant),
          }),
        ),
      ),
      keys_outstanding: says(
        'Keys given out that still work offline, until they expire.',
        list(object({ name: OPENED_NAME, expires_at: KEY_EXPIRES_AT }, OPENED)),
      ),
    },
    { units_left_out: says('How many units were left out of the answer. Left out: none.', whole) },
  ),
);
