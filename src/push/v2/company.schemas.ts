import { LOCATION_WITH_POLICY_SCHEMA } from '../../access/index.js';
import { SANDBOX_MEMBERS } from '../../companies/index.js';
import { schema, TOKEN_SCOPES } from '../../http/index.js';

const { id, instant, list, nullable, object, oneOf, text, whole } = schema;

/** The company of a token, and what the token may write. */
export const COMPANY_SCHEMA = schema.named(
  'TokenCompany',
  object({
    company_id: id,
    name: text,
    ...SANDBOX_MEMBERS,
    token: object({
      token_id: id,
      name: text,
      scope: oneOf(TOKEN_SCOPES),
      created_at: instant,
      expires_at: nullable(instant),
    }),
    locations: list(LOCATION_WITH_POLICY_SCHEMA),
    limits: object({
      units_per_bulk: whole,
      requests: list(object({ policy: text, limit: whole, window_seconds: whole })),
    }),
  }),
);
