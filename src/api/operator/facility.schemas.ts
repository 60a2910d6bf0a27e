import { CONTACT, POLICY_EFFECT_SCHEMA, POLICY_FIELDS, SANDBOX_MEMBERS } from '#api/shapes/index.js';
import { OPERATOR_ROLES } from '#kernel/principals.js';
import { PASSWORD_STATES } from '#domain/operators/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { NOTICES } from './notices/notices.schemas.js';
import { ACCESS_HOURS, TAPS_OUTSIDE_HOURS } from './hours/access-hours.schemas.js';

const { company_id, created_at, currency, dry_run, entry_point_id, kind, location_id } = field;
const { lock_id, name, pms_location_code, serial, unit_id, zone_id } = field;
const { extended, flag, id, instant, list, named, nullable, object, oneOf, page, says, text, whole } = schema;

export const OPERATOR_COMPANY_SCHEMA = named(
  'Company',
  object({ company_id, name, created_at, ...SANDBOX_MEMBERS }),
);

export const LOCATION_SCHEMA = named(
  'Location',
  object({
    location_id,
    company_id,
    pms_location_code,
    name,
    ...POLICY_FIELDS,
    access_hours: ACCESS_HOURS,
    contact: CONTACT,
    currency,
    notices: NOTICES,
    tenant_sharing: says('Whether tenants share their units by themselves.', flag),
  }),
);

export const CHANGED_LOCATION_SCHEMA = named(
  'ChangedLocation',
  extended(
    LOCATION_SCHEMA,
    { effect: POLICY_EFFECT_SCHEMA },
    { dry_run, taps_outside_hours: TAPS_OUTSIDE_HOURS },
  ),
);

export const COMPANIES_SCHEMA = named('CompanyPage', page('companies', OPERATOR_COMPANY_SCHEMA));
export const COMPANY_WITH_LOCATIONS_SCHEMA = named(
  'CompanyWithLocations',
  extended(OPERATOR_COMPANY_SCHEMA, {
    locations: says('The locations of the company.', list(LOCATION_SCHEMA)),
  }),
);

export const SANDBOX_MESSAGES_SCHEMA = named(
  'SandboxMessages',
  object({
    test_numbers: says('The beginning of the phone numbers that sign in to this sandbox.', text),
    messages: says(
      'The last 20 text messages, newest first.',
      list(
        object({
          to: says('The phone number.', text),
          body: says('The text.', text),
          sent_at: says('Instant of sending.', instant),
        }),
      ),
    ),
  }),
);

export const ZONE_SCHEMA = named('Zone', object({ zone_id, location_id, name }));

export const ENTRY_POINT_SCHEMA = named(
  'EntryPoint',
  object({
    entry_point_id,
    location_id,
    name,
    kind,
    zone_ids: says('The zones that it opens to.', list(id)),
    in_service: says('False if it is out of service: then it opens to nobody.', flag),
    hours: says(
      '`location` if it keeps the hours of its location, `always` if it has none.',
      oneOf(['location', 'always']),
    ),
    key_format: field.key_format,
  }),
);

export const LOCK_SCHEMA = named(
  'Lock',
  object({
    lock_id,
    location_id,
    name,
    serial,
    key_format: field.key_format,
    unit_id: says('The unit that it is attached to. Null if it is on none.', nullable(id)),
  }),
);

export const ZONED_UNIT_SCHEMA = named('ZonedUnit', object({ zone_id, unit_id }));

export const ISSUED_TOKEN_SCHEMA = named(
  'IssuedApiToken',
  object({
    ...field.API_TOKEN,
    token: says('Shown once. Null in an answer that an `Idempotency-Key` replays.', nullable(text)),
  }),
);
/** A bulk with rejected rows. */
export const REJECTED_BULK = {
  at: says('Instant of the bulk.', instant),
  total: says('How many rows it had.', whole),
  error_count: says('How many of them were rejected.', whole),
  refused: says('True: the bulk was refused with 422, and nothing of it was written.', flag),
  reasons: says(
    'The first 5 reasons, each once. Besides identifiers of units they have no values of rows.',
    list(
      object({
        code: says('The code of the error, or of the fault of the field.', text),
        field: says('The field at fault. Null if no known field is.', nullable(text)),
        message: says('The reason in words.', text),
        rows: says('How many rows have it.', whole),
        crm_unit_ids: says('The first 3 units. A row without a valid identifier is left out.', list(text)),
      }),
    ),
  ),
};

export const API_TOKENS_SCHEMA = named(
  'ApiTokens',
  object({
    api_tokens: says(
      'The tokens, revoked ones too, without their values.',
      list(
        named(
          'ApiToken',
          object({
            ...field.API_TOKEN,
            revoked_at: says('Instant of revocation. Null if it was not revoked.', nullable(instant)),
            last_used_at: says(
              'Instant of the last use, give or take a minute. Null if it was never used.',
              nullable(instant),
            ),
            last_rejected_bulk: says(
              'The last bulk with rejected rows, or refused as a whole. Dry runs are left out. Null if there was none.',
              nullable(named('RejectedBulk', object(REJECTED_BULK))),
            ),
          }),
        ),
      ),
    ),
  }),
);

export const OPERATOR_SCHEMA = named(
  'OperatorAccount',
  object({
    operator_id: says("The service's identifier of the operator.", id),
    email: says('E-mail address, unique among operators.', text),
    role: says('`auditor` reads, `manager` runs facilities, `admin` does everything.', oneOf(OPERATOR_ROLES)),
    companies: says('The companies that the operator sees. Null: all.', nullable(list(id))),
    locations: says(
      'The only locations that the operator sees, each of one of `companies`. Null: all locations of `companies`.',
      nullable(list(id)),
    ),
    disabled: says('True if the operator cannot sign in.', flag),
    password: says(
      '`chosen`: the operator’s own. `given`: somebody else made it, so it must be changed at the first sign-in. `missing`: not set yet.',
      oneOf(PASSWORD_STATES),
    ),
    invited_until: says(
      'Instant at which the open invitation expires. Null: no invitation is open.',
      nullable(instant),
    ),
    sign_on: says(
      'The link to a person at the provider of single sign-on. Null: nobody is linked.',
      nullable(
        object({
          issuer: says('The provider. A link to another than that of now opens nothing.', text),
          linked_at: says('Instant at which the link was made.', instant),
        }),
      ),
    ),
    second_factor: says('True if signing in needs a second factor.', flag),
    created_at,
  }),
);

export const LISTED_OPERATOR_SCHEMA = named(
  'ListedOperator',
  extended(OPERATOR_SCHEMA, {
    last_seen_at: says(
      'Instant of the last request in a session, up to one minute late. Null: never signed in.',
      nullable(instant),
    ),
  }),
);

export const INVITED_OPERATOR_SCHEMA = named(
  'InvitedOperator',
  extended(OPERATOR_SCHEMA, {
    invitation: says(
      'The link by which the operator sets a password. It works once, and is shown only here. Null: no link was made.',
      nullable(
        object({
          url: says('Send it to the operator.', text),
          expires_at: says('Instant after which the link does not work any more.', instant),
        }),
      ),
    ),
  }),
);

/** The secret and the key format with which a device is set up. @param secret the description of the secret */
export const provisioningOf = <Names extends schema.Properties>(names: Names, secret: string) =>
  object(names, {
    format: says("Version of the key's format.", whole),
    algorithm: says('Algorithm of the key.', text),
    key: says(secret, text),
  });
