import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';

const { email, name, tenant_id } = field;
const { either, instant, list, nullable, named, object, says, text } = schema;

export const LOGIN_SCHEMA = either(
  'Login',
  named(
    'TenantSession',
    object({
      token: says('Send it as `Authorization: Bearer`. It is shown only here.', text),
      expires_at: says('Instant at which the session ends.', instant),
      user: says(
        'The tenant who signed in.',
        named(
          'TenantUser',
          object({ id: tenant_id, name, email, phone: says('International format with a leading +.', text) }),
        ),
      ),
    }),
  ),
  named(
    'AccountChoice',
    object({
      token: says(
        'Always null: choose an account and send the code again with its `tenant_id`.',
        nullable(text),
      ),
      accounts: says(
        'The accounts of the phone number.',
        list(
          named(
            'TenantAccount',
            object({
              tenant_id,
              name,
              location: says('Name of the location.', text),
              company: says('Name of the company.', text),
            }),
          ),
        ),
      ),
    }),
  ),
);
export type LoginAnswer = schema.AnswerOf<typeof LOGIN_SCHEMA>;

export const TENANT_WRITTEN_SCHEMA = schema.named('TenantWritten', object({ tenant_id }));
