import { OVERRIDE_VALUES } from '../../units/index.js';
import { ACCESS_SCHEMA, EXPLAINED_UNIT_SCHEMA, UNIT_SCHEMA } from '../../access/index.js';
import { schema } from '../../http/index.js';

const { extended, flag, id, instant, list, named, nullable, object, oneOf, page, text, whole } = schema;

/** The answer to what an operator writes about a unit. */
export const OPERATOR_WRITE_SCHEMA = object(
  { unit_id: id, applied_at: instant, access: ACCESS_SCHEMA },
  {},
  'OperatorWrite',
);

export const OPERATOR_UNITS_SCHEMA = named(
  'OperatorUnitPage',
  page('units', named('OperatorUnit', extended(UNIT_SCHEMA, { company_id: id, retired: flag }))),
);

const TENANT = object(
  {
    tenant_id: id,
    pms_tenant_id: text,
    name: nullable(text),
    email: nullable(text),
    phone: nullable(text),
  },
  {},
  'TenantSummary',
);

const HELD = { tenant_id: id, expires_at: instant };
/** The thing that a key opens, by its name now. */
const OPENED = { lock_id: id, entry_point_id: id };

/** A unit with all that hangs on it. */
export const OPERATOR_UNIT_SCHEMA = named(
  'OperatorUnitDetail',
  extended(EXPLAINED_UNIT_SCHEMA, {
    company_id: id,
    retired: flag,
    override: nullable(
      object({ override: oneOf(OVERRIDE_VALUES), reason: text, expires_at: nullable(instant) }),
    ),
    locks: list(
      object({ lock_id: id, name: text, serial: nullable(text), keys_outstanding: list(object(HELD)) }),
    ),
    other_keys_outstanding: list(object({ name: nullable(text), ...HELD }, OPENED)),
    zones: list(object({ zone_id: id, name: nullable(text) })),
    tenant: nullable(TENANT),
    shares: list(TENANT),
  }),
);

const ACCOUNT = extended(TENANT, {
  company_id: id,
  location_id: id,
  created_at: instant,
  erased_at: nullable(instant),
});

export const OPERATOR_TENANTS_SCHEMA = named(
  'OperatorTenantPage',
  page('tenants', named('OperatorTenant', ACCOUNT)),
);

/** A tenant with all that the tenant has. */
export const OPERATOR_TENANT_SCHEMA = named(
  'OperatorTenantDetail',
  extended(
    ACCOUNT,
    {
      units: list(UNIT_SCHEMA),
      shares: list(UNIT_SCHEMA),
      sessions: list(object({ session_id: text, created_at: instant, expires_at: instant })),
      keys_outstanding: list(object({ name: nullable(text), expires_at: instant }, OPENED)),
    },
    { units_left_out: whole },
  ),
);
