import * as field from '../http/openapi/fields.js';
import * as schema from '../http/openapi/schemas.js';

const { email, name, tenant_id } = field;
const { instant, list, nullable, object, says, text } = schema;

export const LOGIN_SCHEMA = {
  title: 'Login',
  oneOf: [
    object(
      {
        token: says('Send it as `Authorization: Bearer`. It is shown only here.', text),
        expires_at: says('Instant at which the session ends.', instant),
        user: says(
          'The tenant who signed in.',
          object(
            { id: tenant_id, name, email, phone: says('International format with a leading +.', text) },
            {},
            'TenantUser',
          ),
        ),
      },
      {},
      'TenantSession',
    ),
    object(
      {
        token: says(
          'Always null: choose an account and send the code again with its `tenant_id`.',
          nullable(text),
        ),
        accounts: says(
          'The accounts of the phone number.',
          list(
            object(
              {
                tenant_id,
                name,
                location: says('Name of the location.', text),
                company: says('Name of the company.', text),
              },
              {},
              'TenantAccount',
            ),
          ),
        ),
      },
      {},
      'AccountChoice',
    ),
  ],
};

export const TENANT_WRITTEN_SCHEMA = schema.named('TenantWritten', object({ tenant_id }));
