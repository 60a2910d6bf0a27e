import { POLICY_EFFECT_SCHEMA } from '../access/index.js';
import { SANDBOX_MEMBERS } from '../companies/index.js';
import { schema, TOKEN_SCOPES } from '../http/index.js';

const { amount, extended, flag, id, instant, list, named, nullable, object, oneOf, page, text, whole } =
  schema;

const COMPANY = object(
  {
    company_id: id,
    name: text,
    created_at: instant,
    ...SANDBOX_MEMBERS,
  },
  {},
  'Company',
);

export const LOCATION_SCHEMA = object(
  {
    location_id: id,
    company_id: id,
    pms_location_code: text,
    name: text,
    timezone: text,
    grace_period_days: whole,
    balance_threshold: amount,
    blanket_delinquency: flag,
    delinquency_mode: oneOf(['automatic', 'pms_flag_only']),
  },
  {},
  'Location',
);

export const CHANGED_LOCATION_SCHEMA = named(
  'ChangedLocation',
  extended(LOCATION_SCHEMA, { effect: POLICY_EFFECT_SCHEMA }, { dry_run: flag }),
);

export const COMPANY_SCHEMA = COMPANY;
export const COMPANIES_SCHEMA = named('CompanyPage', page('companies', COMPANY));
export const COMPANY_WITH_LOCATIONS_SCHEMA = named(
  'CompanyWithLocations',
  extended(COMPANY, { locations: list(LOCATION_SCHEMA) }),
);

/** The test numbers of a sandbox begin with `test_numbers`. */
export const SANDBOX_MESSAGES_SCHEMA = named(
  'SandboxMessages',
  object({
    test_numbers: text,
    messages: list(object({ to: text, body: text, sent_at: instant })),
  }),
);

export const ZONE_SCHEMA = object({ zone_id: id, location_id: id, name: text }, {}, 'Zone');

export const ENTRY_POINT_SCHEMA = object(
  {
    entry_point_id: id,
    location_id: id,
    name: text,
    kind: oneOf(['gate', 'door', 'elevator']),
    zone_ids: list(id),
    in_service: flag,
  },
  {},
  'EntryPoint',
);

export const LOCK_SCHEMA = object(
  { lock_id: id, location_id: id, name: text, serial: nullable(text), unit_id: nullable(id) },
  {},
  'Lock',
);

export const ZONED_UNIT_SCHEMA = named('ZonedUnit', object({ zone_id: id, unit_id: id }));

const TOKEN = {
  token_id: id,
  name: text,
  scope: oneOf(TOKEN_SCOPES),
  created_at: instant,
  expires_at: nullable(instant),
};

/** Its value is shown here and never again. */
export const ISSUED_TOKEN_SCHEMA = object(
  {
    ...TOKEN,
    token: {
      ...nullable(text),
      description: 'Shown once. Null in an answer that an `Idempotency-Key` replays.',
    },
  },
  {},
  'IssuedApiToken',
);
export const API_TOKENS_SCHEMA = named(
  'ApiTokens',
  object({
    api_tokens: list(
      object({ ...TOKEN, revoked_at: nullable(instant), last_used_at: nullable(instant) }, {}, 'ApiToken'),
    ),
  }),
);

export const OPERATOR_SCHEMA = named(
  'OperatorAccount',
  object({
    operator_id: id,
    email: text,
    role: oneOf(['auditor', 'manager', 'admin']),
    companies: nullable(list(id)),
    disabled: flag,
    second_factor: flag,
    created_at: instant,
  }),
);

/** The set-up of a lock, in the words of the key scheme. */
export const provisioningOf = (name: string) =>
  object({ [name]: id }, { format: whole, algorithm: text, key: text });
