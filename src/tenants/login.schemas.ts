import { schema } from '../http/index.js';

const { id, instant, list, nullable, object, text } = schema;

/** Either a session, or the accounts of the phone to choose from. */
export const LOGIN_SCHEMA = {
  title: 'Login',
  oneOf: [
    object(
      {
        token: text,
        expires_at: instant,
        user: object({ id, name: text, email: nullable(text), phone: text }, {}, 'TenantUser'),
      },
      {},
      'TenantSession',
    ),
    object(
      {
        token: nullable(text),
        accounts: list(
          object({ tenant_id: id, name: text, location: text, company: text }, {}, 'TenantAccount'),
        ),
      },
      {},
      'AccountChoice',
    ),
  ],
};

/** The account that was written. */
export const TENANT_WRITTEN_SCHEMA = schema.named('TenantWritten', object({ tenant_id: id }));
